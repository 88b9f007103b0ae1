#include "harness/emulator/arith_half.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include "harness/emulator/arith_soft.hpp"
#include "harness/emulator/compare_ops.hpp"
#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

template <const FloatFormat& F>
void expect_agreement_with_exact_integers(ScalarType type, std::uint64_t seed) {
  support::OperandSource source(seed);
  for (std::uint32_t i = 0; i < 0x20000u; ++i) {
    const std::uint32_t a = i & 0xffffu;
    const auto b = static_cast<std::uint32_t>(source.next(type));
    auto c = static_cast<std::uint32_t>(source.next(type));
    if (i % 4 == 0)
      c = static_cast<std::uint32_t>(((mul_half<F>(a, b) ^ 0x8000u) + source.random() % 3) & 0xffffu);
    const auto place = testing::Message() << std::hex << a << ' ' << b << ' ' << c;
    ASSERT_EQ(add_half<F>(a, b), soft_add(F, a, b, Rounding::rn)) << place;
    ASSERT_EQ(mul_half<F>(a, b), soft_mul(F, a, b, Rounding::rn)) << place;
    ASSERT_EQ(fma_half<F>(a, b, c), soft_fma(F, a, b, c, Rounding::rn)) << place;
  }
}
TEST(ArithHalf, F16AgreesWithExactIntegers) {
  expect_agreement_with_exact_integers<kF16>(ScalarType::f16, 4);
}
TEST(ArithHalf, Bf16AgreesWithExactIntegers) {
  expect_agreement_with_exact_integers<kBf16>(ScalarType::bf16, 5);
}

TEST(ArithHalf, ValuesAgreeWithTheToolkit) {
  for (std::uint32_t a = 0; a < 0x10000u; ++a) {
    __half_raw half;
    half.x = static_cast<unsigned short>(a);
    __nv_bfloat16_raw bf16;
    bf16.x = static_cast<unsigned short>(a);
    if (!kF16.is_nan(a)) {
      ASSERT_EQ(half_value<kF16>(a), static_cast<double>(__half2float(__half(half)))) << a;
      ASSERT_EQ(half_of<kF16>(half_value<kF16>(a)), a);
    }
    if (!kBf16.is_nan(a)) {
      ASSERT_EQ(half_value<kBf16>(a), static_cast<double>(__bfloat162float(__nv_bfloat16(bf16)))) << a;
      ASSERT_EQ(half_of<kBf16>(half_value<kBf16>(a)), a);
    }
  }
}

TEST(ArithHalf, ModifiersSaturateFlushAndCutBelowZero) {
  const std::uint32_t one = 0x3c00u;
  EXPECT_EQ(add_half<kF16>(one, one, {.sat = true}), one);
  EXPECT_EQ(sub_half<kF16>(0, one, {.sat = true}), 0u);
  EXPECT_EQ(fma_half<kF16>(0xbc00u, one, 0, {.relu = true}), 0u);
  EXPECT_EQ(fma_half<kF16>(0x7c00u, 0, one, {.relu = true}), 0x7fffu);
  EXPECT_EQ(fma_half<kF16>(0x7c00u, 0, one, {.sat = true}), 0u);
  EXPECT_EQ(add_half<kF16>(0x8001u, 0x8000u, {.ftz = true}), 0x8000u);
  // What an H200 gave: subnormal before it is rounded to a subnormal's bits.
  EXPECT_EQ(mul_half<kF16>(0x400u, 0xbbffu), 0x8400u);
  EXPECT_EQ(mul_half<kF16>(0x400u, 0xbbffu, {.ftz = true}), 0x8000u);
  EXPECT_EQ(fma_half<kF16>(0x086cu, 0x891fu, 0x0400u, {.ftz = true}), 0u);
  EXPECT_EQ(add_half<kF16>(0x8001u, 0x8000u), 0x8001u);
}

TEST(ArithHalf, PairsAreTwoOperations) {
  EXPECT_EQ(on_pair([](std::uint32_t a, std::uint32_t b) { return add_half<kF16>(a, b); }, 0x3c004000u,
                    0x3c003c00u),
            0x40004200u);
}

TEST(MinMax, OrdersZerosAndLeavesOutNan) {
  EXPECT_EQ(min_float(kF32, 0u, 0x80000000u), 0x80000000u);
  EXPECT_EQ(max_float(kF32, 0x80000000u, 0u), 0u);
  EXPECT_EQ(min_float(kF32, 0x7fc00000u, 0x3f800000u), 0x3f800000u);
  EXPECT_EQ(min_float(kF32, 0x7fc00000u, 0x3f800000u, {.nan = true}), 0x7fffffffu);
  EXPECT_EQ(max_float(kF16, 0x7e00u, 0xfe00u), 0x7fffu);
  EXPECT_EQ(max_float(kF32, 0xc0000000u, 0x3f800000u, {.xorsign_abs = true}), 0xc0000000u);
  EXPECT_EQ(min_float(kF32, 0xc0000000u, 0x3f800000u, {.xorsign_abs = true}), 0xbf800000u);
}

TEST(Compare, AgreesWithTheHostOnFloats) {
  support::OperandSource source(6);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t a = source.next(ScalarType::f32);
    const std::uint64_t b = i % 8 == 0 ? a : source.next(ScalarType::f32);
    const float x = float_of(static_cast<std::uint32_t>(a));
    const float y = float_of(static_cast<std::uint32_t>(b));
    const auto is = [&](Compare op) { return compare(op, ScalarType::f32, a, b); };
    ASSERT_EQ(is(Compare::eq), x == y);
    ASSERT_EQ(is(Compare::ne), x < y || x > y);
    ASSERT_EQ(is(Compare::lt), x < y);
    ASSERT_EQ(is(Compare::le), x <= y);
    ASSERT_EQ(is(Compare::gt), x > y);
    ASSERT_EQ(is(Compare::ge), x >= y);
    ASSERT_EQ(is(Compare::equ), !(x < y || x > y));
    ASSERT_EQ(is(Compare::neu), x != y);
    ASSERT_EQ(is(Compare::ltu), !(x >= y));
    ASSERT_EQ(is(Compare::leu), !(x > y));
    ASSERT_EQ(is(Compare::gtu), !(x <= y));
    ASSERT_EQ(is(Compare::geu), !(x < y));
    ASSERT_EQ(is(Compare::nan), x != x || y != y);
    ASSERT_EQ(is(Compare::num), x == x && y == y);
  }
}

TEST(Compare, SignednessComesFromTheTypeAndTheOperator) {
  EXPECT_TRUE(compare(Compare::lt, ScalarType::s16, 0xffffu, 1u));
  EXPECT_FALSE(compare(Compare::lt, ScalarType::u16, 0xffffu, 1u));
  EXPECT_FALSE(compare(Compare::lo, ScalarType::s32, 0xffffffffu, 1u));
  EXPECT_TRUE(compare(Compare::eq, ScalarType::b32, 0x100000001ull, 1u));
  EXPECT_TRUE(compare(Compare::eq, ScalarType::f32, 0x00000001u, 0x80000000u, true));
}

}  // namespace
}  // namespace kgen::emulator
