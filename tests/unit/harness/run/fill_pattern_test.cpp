#include "harness/run/fill_pattern.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace kgen::run {
namespace {

using core::DType;

TEST(FillPattern, FloatsAreTheirIeeeBits) {
  for (const std::int64_t value : {0, 1, -1, 3, 255, -4096, 16777217, 123456789}) {
    EXPECT_EQ(fill_pattern(DType::f32, value), std::bit_cast<std::uint32_t>(static_cast<float>(value)))
        << value;
    EXPECT_EQ(fill_pattern(DType::f64, value), std::bit_cast<std::uint64_t>(static_cast<double>(value)))
        << value;
  }
  EXPECT_EQ(fill_pattern(DType::f16, 1), 0x3c00u);
  EXPECT_EQ(fill_pattern(DType::f16, -2), 0xc000u);
  EXPECT_EQ(fill_pattern(DType::f16, 2049), 0x6800u);  // a tie: to even, 2048
  EXPECT_EQ(fill_pattern(DType::f16, 65504), 0x7bffu);
  EXPECT_EQ(fill_pattern(DType::bf16, 1), 0x3f80u);
  EXPECT_EQ(fill_pattern(DType::bf16, 511), 0x4400u);  // carries into the exponent: 512
  EXPECT_EQ(fill_pattern(DType::f8e4m3, 1), 0x38u);
  EXPECT_EQ(fill_pattern(DType::f8e4m3, 448), 0x7eu);
  EXPECT_EQ(fill_pattern(DType::f8e5m2, 1), 0x3cu);
}

TEST(FillPattern, IntegersAreTheirLowBits) {
  EXPECT_EQ(fill_pattern(DType::i32, -1), 0xffffffffu);
  EXPECT_EQ(fill_pattern(DType::u32, 4294967295), 0xffffffffu);
  EXPECT_EQ(fill_pattern(DType::i64, -1), ~std::uint64_t{0});
  EXPECT_EQ(fill_pattern(DType::i8, -128), 0x80u);
}

TEST(FillPattern, RefusesWhatTheTypeCannotHold) {
  EXPECT_FALSE(fill_pattern(DType::f16, 65536));
  EXPECT_FALSE(fill_pattern(DType::f8e4m3, 449));
  EXPECT_FALSE(fill_pattern(DType::u8, 256));
  EXPECT_FALSE(fill_pattern(DType::i32, std::int64_t{1} << 32));
}

}  // namespace
}  // namespace kgen::run
