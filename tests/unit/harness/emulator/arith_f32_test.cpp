#include "harness/emulator/arith_f32.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "host_rounding.hpp"
#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

constexpr int kSamples = 30'000;

/// The host's result with a NaN made the device's.
template <typename Operation>
std::uint32_t host(Rounding rounding, Operation operation, std::uint32_t a, std::uint32_t b = 0,
                   std::uint32_t c = 0) {
  const float result = in_rounding(rounding, operation, float_of(a), float_of(b), float_of(c));
  return std::isnan(result) ? kNanF32 : bits_of_f32(result);
}

TEST(ArithF32, EveryRoundingAgreesWithTheHost) {
  support::OperandSource source(1);
  for (int i = 0; i < kSamples; ++i) {
    const auto a = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    const auto b = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    const auto c = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    for (const Rounding r : kDirected) {
      const auto place = testing::Message()
                         << std::hex << a << ' ' << b << ' ' << c << " rounding " << int(r);
      ASSERT_EQ(add_f32(a, b, r), host(r, [](float x, float y, float) { return x + y; }, a, b)) << place;
      ASSERT_EQ(sub_f32(a, b, r), host(r, [](float x, float y, float) { return x - y; }, a, b)) << place;
      ASSERT_EQ(mul_f32(a, b, r), host(r, [](float x, float y, float) { return x * y; }, a, b)) << place;
      ASSERT_EQ(div_f32(a, b, r), host(r, [](float x, float y, float) { return x / y; }, a, b)) << place;
      ASSERT_EQ(sqrt_f32(a, r), host(r, [](float x, float, float) { return std::sqrt(x); }, a)) << place;
      ASSERT_EQ(fma_f32(a, b, c, r),
                host(
                    r, [](float x, float y, float z) { return std::fma(x, y, z); }, a, b, c))
          << place;
    }
  }
}

TEST(ArithF32, FmaOfNearlyCancellingOperandsIsExact) {
  support::OperandSource source(2);
  for (int i = 0; i < kSamples; ++i) {
    const auto a = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    const auto b = static_cast<std::uint32_t>(source.next(ScalarType::f32));
    const std::uint32_t product = mul_f32(a, b);
    const auto c = static_cast<std::uint32_t>((product ^ 0x80000000u) + (source.random() % 5) - 2);
    for (const Rounding r : kDirected) {
      ASSERT_EQ(fma_f32(a, b, c, r),
                host(
                    r, [](float x, float y, float z) { return std::fma(x, y, z); }, a, b, c))
          << std::hex << a << ' ' << b << ' ' << c << " rounding " << int(r);
    }
  }
}

TEST(ArithF32, FlushesSubnormalsToAZeroOfTheirSign) {
  EXPECT_EQ(flush_f32(0x00000001u), 0x00000000u);
  EXPECT_EQ(flush_f32(0x807fffffu), 0x80000000u);
  EXPECT_EQ(flush_f32(0x00800000u), 0x00800000u);
  EXPECT_EQ(flush_f32(0xff800001u), 0xff800001u);
  // operands and results
  EXPECT_EQ(add_f32(0x00000001u, 0x00800000u, Rounding::rn, true), 0x00800000u);
  EXPECT_EQ(mul_f32(0x80800000u, 0x3f000000u, Rounding::rn, true), 0x80000000u);
  // What an H200 gave: subnormal before they are rounded to a subnormal's bits.
  EXPECT_EQ(mul_f32(0x3f7fffffu, 0x80800000u, Rounding::rn), 0x80800000u);
  EXPECT_EQ(mul_f32(0x3f7fffffu, 0x80800000u, Rounding::rn, true), 0x80000000u);
  EXPECT_EQ(mul_f32(0x80800000u, 0xbf7fffffu, Rounding::rp, true), 0u);
  EXPECT_EQ(div_f32(0x80800000u, 0xbf800001u, Rounding::rp, true), 0u);
  EXPECT_EQ(mul_f32(0x80800000u, 0x3f000000u, Rounding::rn, false), 0x80400000u);
}

TEST(ArithF32, SaturationClampsAndTakesNanForZero) {
  EXPECT_EQ(add_f32(0x40000000u, 0x3f800000u, Rounding::rn, false, true), 0x3f800000u);
  EXPECT_EQ(add_f32(0xc0000000u, 0x3f800000u, Rounding::rn, false, true), 0u);
  EXPECT_EQ(add_f32(0x3e800000u, 0x3e800000u, Rounding::rn, false, true), 0x3f000000u);
  EXPECT_EQ(mul_f32(0x80000000u, 0x3f800000u, Rounding::rn, false, true), 0u);
  EXPECT_EQ(mul_f32(0x7f800000u, 0u, Rounding::rn, false, true), 0u);
}

TEST(ArithF32, NanIsTheDevicesOwn) {
  EXPECT_EQ(add_f32(0x7fc00001u, 0x3f800000u), kNanF32);
  EXPECT_EQ(add_f32(0x7f800000u, 0xff800000u), kNanF32);
  EXPECT_EQ(sqrt_f32(0xbf800000u), kNanF32);
  EXPECT_EQ(rcp_f32(0xffc00000u, Rounding::rz), kNanF32);
}

}  // namespace
}  // namespace kgen::emulator
