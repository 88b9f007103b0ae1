#include "harness/emulator/approx_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "harness/emulator/arith_half.hpp"
#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

constexpr std::uint32_t kInf = 0x7f800000u;
constexpr std::uint32_t kOne = 0x3f800000u;

/// |got - exact| in units of got's last place, against long double.
double ulps(std::uint32_t got, long double exact) {
  const float value = float_of(got);
  const float next = std::nextafter(std::fabs(value), INFINITY);
  return static_cast<double>(std::fabs(value - exact) / (next - std::fabs(value)));
}

TEST(Approx, StaysWithinOneUlpOfTheExactValue) {
  support::OperandSource source(30);
  for (int i = 0; i < 100'000; ++i) {
    const auto a = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    const long double x = float_of(a);
    const auto check = [&](std::uint32_t got, long double exact) {
      if (std::isnan(exact)) {
        ASSERT_EQ(got, kNanF32) << std::hex << a;
      } else if (std::isfinite(float_of(got))) {
        ASSERT_LE(ulps(got, exact), 1.0) << std::hex << a;
      } else {
        ASSERT_GT(std::fabs(exact), 3.4e38L) << std::hex << a;
      }
    };
    check(ex2_approx_f32(a, false), std::exp2(x));
    check(lg2_approx_f32(a, false), std::log2(x));
    check(rcp_approx_f32(a, false), 1.0L / x);
    check(sqrt_approx_f32(a, false), std::sqrt(x));
    check(rsqrt_approx_f32(a, false), 1.0L / std::sqrt(x));
  }
}

TEST(Approx, HyperbolicTangentOfSinglesErrsAsTheHardwareDoes) {
  support::OperandSource source(33);
  double most = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto a = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    const double exact = std::tanh(static_cast<double>(float_of(a)));
    if (std::isnan(exact)) {
      ASSERT_EQ(tanh_approx_f32(a), kNanF32);
    } else if (std::fabs(exact) < 0x1p-126) {
      ASSERT_EQ(tanh_approx_f32(a), a);
    } else {
      most = std::fmax(most, std::fabs(float_of(tanh_approx_f32(a)) / exact - 1));
    }
  }
  EXPECT_LE(most, 0x1.02p-16);
  EXPECT_GE(most, 0x1p-17);
}

TEST(Approx, SineAndCosineStayWithinTheDocumentedErrorBetweenMinusPiAndPi) {
  support::OperandSource source(31);
  for (int i = 0; i < 100'000; ++i) {
    const float x =
        static_cast<float>((static_cast<double>(source.random() >> 11) * 0x1p-53 * 2 - 1) * 3.14159265);
    const std::uint32_t a = bits_of_f32(x);
    ASSERT_LE(std::fabs(float_of(sin_approx_f32(a, false)) - std::sin(static_cast<double>(x))), 0x1p-20) << x;
    ASSERT_LE(std::fabs(float_of(cos_approx_f32(a, false)) - std::cos(static_cast<double>(x))), 0x1p-20) << x;
  }
}

TEST(Approx, SpecialValuesAreTheDocumentedOnes) {
  const std::uint32_t minus = 0x80000000u;
  EXPECT_EQ(ex2_approx_f32(kInf | minus, true), 0u);
  EXPECT_EQ(ex2_approx_f32(minus, true), kOne);
  EXPECT_EQ(ex2_approx_f32(0x00000001u, false), kOne);
  EXPECT_EQ(ex2_approx_f32(0xc3010000u, false), 0x00100000u);  // 2^-129
  EXPECT_EQ(ex2_approx_f32(0xc3010000u, true), 0u);
  EXPECT_EQ(lg2_approx_f32(minus, true), kInf | minus);
  EXPECT_EQ(lg2_approx_f32(1u, true), kInf | minus);
  EXPECT_EQ(lg2_approx_f32(kOne | minus, true), kNanF32);
  EXPECT_EQ(sin_approx_f32(minus, true), minus);
  EXPECT_EQ(sin_approx_f32(kInf, true), kNanF32);
  EXPECT_EQ(cos_approx_f32(0x80000001u, true), kOne);
  EXPECT_EQ(tanh_approx_f32(kInf), kOne);
  EXPECT_EQ(rcp_approx_f32(minus, true), kInf | minus);
  EXPECT_EQ(rcp_approx_f32(1u, true), kInf);
  EXPECT_EQ(rcp_approx_f32(0x7f000000u, true), 0u);
  EXPECT_EQ(sqrt_approx_f32(minus, true), minus);
  EXPECT_EQ(rsqrt_approx_f32(minus, true), kInf | minus);
  EXPECT_EQ(div_approx_f32(kOne, 0x7f000000u, false), 0u);
  EXPECT_EQ(div_approx_f32(kInf, 0x7f000000u, false), kNanF32);
  EXPECT_EQ(div_approx_f32(kOne, 0x40000000u, false), 0x3f000000u);
  EXPECT_EQ(div_full_f32(kOne, 0x7f000000u, false), 0x00400000u);
}

TEST(Approx, DoublesHaveTwentyBitsButForOneRsqrt) {
  EXPECT_EQ(rcp_approx_f64(0x4000000000000000ull), 0x3fe0000000000000ull);
  EXPECT_EQ(rcp_approx_f64(0x0000000100000000ull), 0x7ff0000000000000ull);
  EXPECT_EQ(rcp_approx_f64(0x7ff8000000000001ull), 0x7fffffff00000000ull);
  EXPECT_EQ(rsqrt_approx_f64(0x4010000000000000ull, true), 0x3fe0000000000000ull);
  support::OperandSource source(32);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t a = source.next(ScalarType::f64) & ~kF64.sign();
    const double exact = 1.0 / std::sqrt(double_of(a));
    if (!std::isfinite(exact) || exact == 0) continue;
    // A subnormal counts as zero.
    const std::uint64_t got = rsqrt_approx_f64(a, true);
    if (a > 0xfffffffffffffull) {
      ASSERT_EQ(got & 0xffffffffu, 0u);
      ASSERT_LE(std::fabs(double_of(got) / exact - 1), 0x1p-19);
    }
    ASSERT_LE(std::fabs(double_of(rsqrt_approx_f64(a, false)) / exact - 1), 0x1p-52);
  }
}

TEST(Approx, HalvesAreWithinTheirLastPlace) {
  for (std::uint32_t a = 0; a < 0x10000u; ++a) {
    if (kF16.is_nan(a)) continue;
    const double exact = std::exp2(half_value<kF16>(a));
    const double got = half_value<kF16>(ex2_approx_half(kF16, a, false));
    if (std::isfinite(got)) {
      ASSERT_LE(std::fabs(got - exact), std::fmax(exact * 0x1p-11, 0x1p-25)) << a;
    }
    ASSERT_LE(std::fabs(half_value<kF16>(tanh_approx_half(kF16, a)) - std::tanh(half_value<kF16>(a))),
              0x1p-10);
  }
  EXPECT_EQ(ex2_approx_half(kBf16, 0x0001u, true), 0x3f80u);
}

}  // namespace
}  // namespace kgen::emulator
