#include "harness/emulator/integer_ops.hpp"

#include <gtest/gtest.h>

#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

/// The ISA's own loop for bfe, bit by bit.
template <typename T>
T bfe_by_bits(T a, std::uint32_t b, std::uint32_t c) {
  constexpr int msb = kWidth<T> - 1;
  const int pos = static_cast<int>(b & 0xff);
  const int len = static_cast<int>(c & 0xff);
  const auto bit = [&](int at) { return (static_cast<Unsigned<T>>(a) >> at) & 1; };
  const Unsigned<T> sign = !std::is_signed_v<T> || len == 0 ? 0 : bit(std::min(pos + len - 1, msb));
  Unsigned<T> result = 0;
  for (int i = 0; i <= msb; ++i) {
    result |= static_cast<Unsigned<T>>((i < len && pos + i <= msb ? bit(pos + i) : sign) << i);
  }
  return static_cast<T>(result);
}
template <typename T>
T bfi_by_bits(T a, T b, std::uint32_t c, std::uint32_t d) {
  T result = b;
  for (std::uint32_t i = 0; i < (d & 0xff) && (c & 0xff) + i < static_cast<std::uint32_t>(kWidth<T>); ++i) {
    const T mask = static_cast<T>(T{1} << ((c & 0xff) + i));
    result = static_cast<T>((a >> i) & 1 ? result | mask : result & ~mask);
  }
  return result;
}

TEST(IntegerOps, BitFieldsFollowTheirDefinition) {
  support::OperandSource source(7);
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t a = source.next(ScalarType::u64);
    const std::uint64_t b = source.next(ScalarType::u64);
    const auto pos = static_cast<std::uint32_t>(source.random() % 300);
    const auto len = static_cast<std::uint32_t>(source.random() % 300);
    const auto near = static_cast<std::uint32_t>(source.random() % 70);
    for (const std::uint32_t l : {len, near}) {
      for (const std::uint32_t p : {pos, near / 2}) {
        ASSERT_EQ(bit_field_extract(static_cast<std::uint32_t>(a), p, l),
                  bfe_by_bits(static_cast<std::uint32_t>(a), p, l));
        ASSERT_EQ(bit_field_extract(static_cast<std::int32_t>(a), p, l),
                  bfe_by_bits(static_cast<std::int32_t>(a), p, l));
        ASSERT_EQ(bit_field_extract(a, p, l), bfe_by_bits(a, p, l));
        ASSERT_EQ(bit_field_extract(static_cast<std::int64_t>(a), p, l),
                  bfe_by_bits(static_cast<std::int64_t>(a), p, l));
        ASSERT_EQ(bit_field_insert(a, b, p, l), bfi_by_bits(a, b, p, l));
        ASSERT_EQ(bit_field_insert(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), p, l),
                  bfi_by_bits(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), p, l));
      }
    }
  }
}

TEST(IntegerOps, ProductsWrapAndWiden) {
  EXPECT_EQ(mul_lo<std::int32_t>(0x10001, 0x10001), 0x20001);
  EXPECT_EQ(mul_hi<std::int32_t>(-1, 1), -1);
  EXPECT_EQ(mul_hi<std::uint32_t>(0xffffffffu, 0xffffffffu), 0xfffffffeu);
  EXPECT_EQ(mul_hi<std::uint64_t>(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(mul_hi<std::int64_t>(INT64_MIN, INT64_MIN), std::int64_t{1} << 62);
  EXPECT_EQ(mul_wide<std::int16_t>(-2, 3), static_cast<std::uint64_t>(-6));
  EXPECT_EQ(mul_wide<std::uint32_t>(0xffffffffu, 2), 0x1fffffffeull);
  EXPECT_EQ(mul24_lo<std::int32_t>(0x00ffffff, 2), -2);
  EXPECT_EQ(mul24_hi<std::uint32_t>(0xffffffu, 0xffffffu), 0xfffffe00u);
  EXPECT_EQ(mad_hi_sat(INT32_MAX, INT32_MAX, INT32_MAX), INT32_MAX);
}

TEST(IntegerOps, SaturationDivisionAndShifts) {
  EXPECT_EQ(add_integer<std::int32_t>(INT32_MAX, 1, true), INT32_MAX);
  EXPECT_EQ(add_integer<std::int32_t>(INT32_MAX, 1), INT32_MIN);
  EXPECT_EQ(sub_integer<std::int32_t>(INT32_MIN, 1, true), INT32_MIN);
  EXPECT_EQ(div_integer<std::uint32_t>(5, 0), ~0u);
  EXPECT_EQ(div_integer<std::int32_t>(INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(rem_integer<std::int32_t>(-7, 3), -1);
  EXPECT_EQ(rem_integer<std::uint32_t>(5, 0), ~0u);
  EXPECT_EQ(rem_integer<std::int64_t>(INT64_MIN, -1), 0);
  EXPECT_EQ(shift_left<std::uint32_t>(1, 32), 0u);
  EXPECT_EQ(shift_right<std::int16_t>(-5, 100), -1);
  EXPECT_EQ(shift_right<std::uint64_t>(~0ull, 63), 1u);
  EXPECT_EQ(funnel_left(0x80000000u, 1u, 33, false), 0x80000000u);
  EXPECT_EQ(funnel_left(0x80000000u, 1u, 33, true), 3u);
  EXPECT_EQ(funnel_right(0x80000000u, 1u, 32, false), 1u);
  EXPECT_EQ(funnel_right(0x80000000u, 1u, 32, true), 0x80000000u);
}

TEST(IntegerOps, CarriesAndBorrowsChain) {
  const auto low = add_carry<std::uint32_t>(0xffffffffu, 1, false);
  EXPECT_EQ(low.value, 0u);
  EXPECT_TRUE(low.carry);
  EXPECT_EQ(add_carry<std::uint32_t>(1, 2, low.carry).value, 4u);
  EXPECT_TRUE(add_carry<std::uint64_t>(~0ull, ~0ull, true).carry);
  EXPECT_TRUE(sub_borrow<std::uint32_t>(0, 1, false).carry);
  EXPECT_EQ(sub_borrow<std::uint32_t>(5, 1, true).value, 3u);
  EXPECT_FALSE(sub_borrow<std::uint64_t>(5, 4, true).carry);
}

TEST(IntegerOps, BitsAreFoundAndReversed) {
  EXPECT_EQ(find_leading_bit<std::uint32_t>(0, false), ~0u);
  EXPECT_EQ(find_leading_bit<std::int32_t>(-1, false), ~0u);
  EXPECT_EQ(find_leading_bit<std::int32_t>(-2, false), 0u);
  EXPECT_EQ(find_leading_bit<std::uint64_t>(1ull << 40, true), 23u);
  EXPECT_EQ(reverse_bits<std::uint32_t>(0x1u), 0x80000000u);
  EXPECT_EQ(reverse_bits<std::uint64_t>(0x3ull), 0xc000000000000000ull);
  EXPECT_EQ(fns(0xaaaaaaaau, 3, 1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaau, 3, -1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaau, 2, 1), 3u);
  EXPECT_EQ(fns(0xaaaaaaaau, 2, -1), 1u);
  EXPECT_EQ(fns(0xaaaaaaaau, 2, 0), ~0u);
}

TEST(IntegerOps, EveryLop3TableFollowsItsBits) {
  for (std::uint32_t table = 0; table < 256; ++table) {
    EXPECT_EQ(lop3(0xf0u, 0xccu, 0xaau, table) & 0xffu, table);
  }
}

TEST(IntegerOps, PermutesBytesInEveryMode) {
  const std::uint32_t a = 0x33221100u;
  const std::uint32_t b = 0xf7e6d5c4u;
  EXPECT_EQ(prmt(a, b, 0x7531u), 0xf7d53311u);
  EXPECT_EQ(prmt(a, b, 0xf080u), 0xff000000u);
  EXPECT_EQ(prmt(a, b, 1, PermuteMode::f4e), 0xc4332211u);
  EXPECT_EQ(prmt(a, b, 1, PermuteMode::b4e), 0xe6f70011u);
  EXPECT_EQ(prmt(a, b, 2, PermuteMode::rc8), 0x22222222u);
  EXPECT_EQ(prmt(a, b, 2, PermuteMode::ecl), 0x33222222u);
  EXPECT_EQ(prmt(a, b, 2, PermuteMode::ecr), 0x22221100u);
  EXPECT_EQ(prmt(a, b, 3, PermuteMode::rc16), 0x33223322u);
}

TEST(IntegerOps, MasksExtensionsAndDotProducts) {
  EXPECT_EQ(bmsk(1, 2, true), 6u);
  EXPECT_EQ(bmsk(4, 40, false), 0xfffffff0u);
  EXPECT_EQ(bmsk(33, 2, false), 0u);
  EXPECT_EQ(bmsk(33, 2, true), 6u);
  EXPECT_EQ(szext(0xffu, 8, true, false), 0xffffffffu);
  EXPECT_EQ(szext(0x1ffu, 8, false, false), 0xffu);
  EXPECT_EQ(szext(0xffffffffu, 0, false, true), 0u);
  EXPECT_EQ(szext(0x12345678u, 32, true, false), 0x12345678u);
  EXPECT_EQ(dp4a(0xff010203u, true, 0x01010101u, false, 10), 10u + 3 + 2 + 1 - 1);
  EXPECT_EQ(dp4a(0xff010203u, false, 0x01010101u, false, 10), 10u + 3 + 2 + 1 + 255);
  EXPECT_EQ(dp2a(0xffff0002u, true, 0x04030201u, true, 0, false), 0u);
  EXPECT_EQ(dp2a(0xffff0002u, true, 0x04030201u, true, 0, true), 2u);
}

}  // namespace
}  // namespace kgen::emulator
