#include "harness/judge/shared/dtype_bits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/dtype.hpp"
#include "harness/judge/shared/random.hpp"

namespace kgen::judge {
namespace {

class EveryPattern : public testing::TestWithParam<int> {};

TEST_P(EveryPattern, SurvivesDecodingAndEncoding) {
  const int dtype = GetParam();
  const U64 count = 1ull << (8 * bytes_of_code(dtype));
  for (U64 bits = 0; bits < count; ++bits) {
    const double value = decode(dtype, bits);
    if (is_nan(value)) {
      EXPECT_TRUE(is_nan(decode(dtype, encode(dtype, value)))) << bits;
    } else {
      EXPECT_EQ(encode(dtype, value), dtype == kB8 && bits > 1 ? 1 : bits) << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Narrow, EveryPattern,
                         testing::Values(kF16, kBf16, kF8e4m3, kF8e5m2, kI16, kU16, kI8, kU8, kB8));

TEST(DTypeBits, NeighboursAreRoundedToTheNearestAndTiesToEven) {
  for (const int dtype : {kF16, kBf16, kF8e4m3, kF8e5m2}) {
    const U64 largest = largest_finite_bits(format_of(dtype));
    for (U64 bits = 0; bits < largest; ++bits) {
      const double low = decode(dtype, bits), high = decode(dtype, bits + 1), middle = (low + high) / 2;
      ASSERT_EQ(encode(dtype, middle), bits % 2 == 0 ? bits : bits + 1) << dtype << " " << bits;
      ASSERT_EQ(encode(dtype, std::nextafter(middle, low)), bits);
      ASSERT_EQ(encode(dtype, std::nextafter(middle, high)), bits + 1);
    }
  }
}

TEST(DTypeBits, AgreesWithTheProcessorOnF32) {
  for (U64 i = 0; i < 200000; ++i) {
    const double value = double_of(random_bits(1, i, 0));
    if (is_nan(value)) continue;
    const float expected = static_cast<float>(value);
    ASSERT_EQ(encode(kF32, value), std::bit_cast<unsigned int>(expected)) << value;
    const auto bits = static_cast<unsigned int>(random_bits(2, i, 0));
    if (!std::isnan(std::bit_cast<float>(bits))) {
      ASSERT_EQ(decode(kF32, bits), static_cast<double>(std::bit_cast<float>(bits)));
    }
  }
  for (const float value : {1e-45f, -1e-45f, 1.1754942e-38f, 3.4028235e38f}) {
    EXPECT_EQ(encode(kF32, static_cast<double>(value)), std::bit_cast<unsigned int>(value));
  }
}

TEST(DTypeBits, OverflowGoesToInfinityWhereTheFormatHasOne) {
  EXPECT_TRUE(is_infinite(decode(kF16, encode(kF16, 65520.0))));
  EXPECT_EQ(decode(kF16, encode(kF16, 65519.0)), 65504.0);
  EXPECT_EQ(decode(kF8e4m3, encode(kF8e4m3, 1e9)), 448.0);
  EXPECT_TRUE(is_infinite(decode(kF8e5m2, encode(kF8e5m2, -1e9))));
  EXPECT_TRUE(is_nan(decode(kF8e4m3, 0x7f)));
  EXPECT_TRUE(is_nan(decode(kBf16, encode(kBf16, std::numeric_limits<double>::quiet_NaN()))));
}

TEST(DTypeBits, NaNKeepsItsSignAndTheLeadingBitsOfItsPayload) {
  const auto encoded = [](int dtype, U64 bits) { return encode(dtype, double_of(bits)); };
  EXPECT_EQ(encoded(kBf16, 0x7ff8000000000000ull), 0x7fc0u);
  EXPECT_EQ(encoded(kBf16, 0xfff8000000000000ull), 0xffc0u);
  EXPECT_EQ(encoded(kBf16, 0x7fffffffffffffffull), 0x7fffu);
  EXPECT_EQ(encoded(kF32, 0xfff4000000000000ull), 0xffa00000u);  // signalling
  EXPECT_EQ(encoded(kF16, 0xfff4000000000000ull), 0xfd00u);
  EXPECT_EQ(encoded(kF16, 0x7ff0000000000001ull), 0x7c01u);  // never an infinity
  EXPECT_EQ(encoded(kF64, 0xfff4000000000001ull), 0xfff4000000000001ull);
  EXPECT_EQ(encoded(kF8e4m3, 0xfff4000000000000ull), 0xffu);
}

TEST(DTypeBits, PoisonIsNaNInEveryFloatType) {
  for (const int dtype : {kF64, kF32, kF16, kBf16, kF8e4m3, kF8e5m2}) {
    const int width = 8 * bytes_of_code(dtype);
    EXPECT_TRUE(is_nan(decode(dtype, width == 64 ? ~0ull : (1ull << width) - 1))) << dtype;
  }
}

TEST(DTypeBits, IntegersAreRoundedAndClamped) {
  EXPECT_EQ(decode(kI32, encode(kI32, 2.5)), 2.0);
  EXPECT_EQ(decode(kI32, encode(kI32, -3.5)), -4.0);
  EXPECT_EQ(decode(kI8, encode(kI8, 1000.0)), 127.0);
  EXPECT_EQ(decode(kU32, encode(kU32, -5.0)), 0.0);
  EXPECT_EQ(decode(kI64, encode(kI64, -9007199254740992.0)), -9007199254740992.0);
  EXPECT_EQ(encode(kU64, 1e30), 18446744073709549568ull);
}

TEST(DTypeBits, FactsAreThoseOfTheCore) {
  for (int code = kF64; code <= kU4x8; ++code) {
    const auto& facts = core::facts_of(static_cast<core::DType>(code));
    EXPECT_EQ(static_cast<std::size_t>(bytes_of_code(code)), facts.bytes);
    EXPECT_EQ(is_float_code(code), facts.is_float);
    if (!facts.is_float) continue;
    EXPECT_EQ(largest_finite(code), facts.max_finite);
    EXPECT_EQ(smallest_normal(code), facts.min_normal);
    EXPECT_EQ(format_of(code).mantissa_bits + 1, facts.significand_bits);
  }
}

}  // namespace
}  // namespace kgen::judge
