#include "harness/emulator/convert_scalar.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "harness/emulator/arith_f32.hpp"
#include "harness/emulator/arith_f64.hpp"
#include "host_rounding.hpp"
#include "support/operand_source.hpp"

namespace kgen::emulator {
namespace {

using enum ScalarType;

std::uint64_t bits_16(const auto& value) {
  std::uint16_t bits = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(Convert, F32To16BitsAgreesWithTheToolkit) {
  support::OperandSource source(8);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t a = source.next(f32);
    const float x = float_of(static_cast<std::uint32_t>(a));
    ASSERT_EQ(convert(f16, f32, a, {}), bits_16(__float2half_rn(x))) << std::hex << a;
    ASSERT_EQ(convert(f16, f32, a, {.rounding = Rounding::rz}), bits_16(__float2half_rz(x))) << std::hex << a;
    ASSERT_EQ(convert(f16, f32, a, {.rounding = Rounding::rm}), bits_16(__float2half_rd(x))) << std::hex << a;
    ASSERT_EQ(convert(f16, f32, a, {.rounding = Rounding::rp}), bits_16(__float2half_ru(x))) << std::hex << a;
    ASSERT_EQ(convert(bf16, f32, a, {}), bits_16(__float2bfloat16_rn(x))) << std::hex << a;
    ASSERT_EQ(convert(bf16, f32, a, {.rounding = Rounding::rz}), bits_16(__float2bfloat16_rz(x)))
        << std::hex << a;
    const std::uint64_t b = source.next(f64);
    ASSERT_EQ(convert(f16, f64, b, {}), bits_16(__double2half(double_of(b)))) << std::hex << b;
  }
}

TEST(Convert, ShortCutsChangeNoBit) {
  support::OperandSource source(12);
  const std::pair<ScalarType, ScalarType> pairs[] = {{f32, f16}, {f16, f32}, {bf16, f32},
                                                     {f32, s32}, {f32, u32}, {s32, f32}};
  for (int i = 0; i < 60'000; ++i) {
    for (const auto& [to, from] : pairs) {
      const std::uint64_t a = source.next(from);
      for (const Rounding r : {Rounding::rn, Rounding::rz}) {
        ASSERT_EQ(convert(to, from, a, {.rounding = r}), convert_exactly(to, from, a, {.rounding = r}))
            << std::hex << a;
      }
    }
  }
}

TEST(Convert, ShortCutsOfSinglesChangeNoBit) {
  support::OperandSource source(13);
  for (int i = 0; i < 60'000; ++i) {
    const std::uint64_t a = source.next(f32);
    for (const Rounding r : {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp}) {
      for (int bits = 0; bits < 8; ++bits) {
        ConvertModifiers m{.rounding = r};
        m.integral = (bits & 1) != 0;
        m.ftz = (bits & 2) != 0;
        m.sat = (bits & 4) != 0;
        ASSERT_EQ(convert(f32, f32, a, m), convert_exactly(f32, f32, a, m))
            << std::hex << a << " rounding " << int(r) << " modifiers " << bits;
      }
    }
  }
}

TEST(Convert, EightBitFloatsAgreeWithTheToolkit) {
  for (std::uint64_t a = 0; a < 256; ++a) {
    for (const auto& [type, kind] : {std::pair{e4m3, __NV_E4M3}, std::pair{e5m2, __NV_E5M2}}) {
      const __half_raw expected = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(a), kind);
      const std::uint64_t got = convert(f16, type, a, {});
      if ((expected.x & 0x7fffu) > 0x7c00u) {
        EXPECT_EQ(got, 0x7fffu) << a;
      } else {
        EXPECT_EQ(got, expected.x) << a;
      }
    }
  }
  support::OperandSource source(9);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t a = source.next(f32);
    const float x = float_of(static_cast<std::uint32_t>(a));
    ASSERT_EQ(convert(e4m3, f32, a, {}), __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3))
        << std::hex << a;
    ASSERT_EQ(convert(e5m2, f32, a, {}), __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2))
        << std::hex << a;
  }
  for (std::uint32_t a = 0; a < 0x10000u; ++a) {
    __half_raw half;
    half.x = static_cast<unsigned short>(a);
    ASSERT_EQ(convert(e4m3, f16, a, {}), __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E4M3))
        << std::hex << a;
    ASSERT_EQ(convert(e5m2, f16, a, {}), __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E5M2))
        << std::hex << a;
  }
}

TEST(Convert, PairsPackTheFirstOperandUpwards) {
  EXPECT_EQ(convert_pair(f16x2, f32, 0x3f800000u, 0x40000000u, {}), 0x3c004000u);
  EXPECT_EQ(convert_pair(e4m3x2, f32, 0x3f800000u, 0xc0000000u, {}), 0x38c0u);
  EXPECT_EQ(convert_packed(f16x2, e4m3x2, 0x38c0u, {}), 0x3c00c000u);
  EXPECT_EQ(convert_packed(e5m2x2, f16x2, 0x3c00c000u, {.relu = true}), 0x3c00u);
}

TEST(Convert, DoubleToFloatAndIntegersToFloatsAgreeWithTheHost) {
  support::OperandSource source(10);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t a = source.next(f64);
    const std::uint64_t n = source.next(s64);
    for (const Rounding r : kDirected) {
      volatile double x = double_of(a);
      volatile auto s = static_cast<std::int64_t>(n);
      volatile auto u = n;
      float narrowed = 0;
      float from_signed = 0;
      double from_unsigned = 0;
      {
        const HostRounding mode(r);
        volatile auto narrow = static_cast<float>(x);
        volatile auto sf = static_cast<float>(s);
        volatile auto ud = static_cast<double>(u);
        narrowed = narrow;
        from_signed = sf;
        from_unsigned = ud;
      }
      const std::uint32_t expected = std::isnan(narrowed) ? kNanF32 : bits_of_f32(narrowed);
      ASSERT_EQ(convert(f32, f64, a, {.rounding = r}), expected) << std::hex << a << " rounding " << int(r);
      // g++ shifts and jams what a signed conversion cannot do; a zero's sign in .rm is its own affair.
      if (n != 0) {
        ASSERT_EQ(convert(f32, s64, n, {.rounding = r}), bits_of_f32(from_signed)) << std::hex << n;
      }
      if (n != 0 && n >> 63 == 0) {
        ASSERT_EQ(convert(f64, u64, n, {.rounding = r}), bits_of_f64(from_unsigned)) << n;
      }
    }
    if (!is_nan_f32(static_cast<std::uint32_t>(n))) {
      const double wide = float_of(static_cast<std::uint32_t>(n));
      ASSERT_EQ(convert(f64, f32, n & 0xffffffffu, {}), bits_of_f64(wide));
    }
  }
}

/// Rounds and clamps with the C library: independent of the code under test.
std::int64_t expected_integer(double x, Rounding r, double least, double largest) {
  const double whole = r == Rounding::rn   ? std::nearbyint(x)
                       : r == Rounding::rz ? std::trunc(x)
                       : r == Rounding::rm ? std::floor(x)
                                           : std::ceil(x);
  return static_cast<std::int64_t>(std::fmin(std::fmax(whole, least), largest));
}

TEST(Convert, FloatsToIntegersRoundAndClamp) {
  support::OperandSource source(11);
  const struct {
    ScalarType type;
    double least, largest;
  } targets[] = {{s32, -2147483648.0, 2147483647.0},
                 {u32, 0, 4294967295.0},
                 {s16, -32768, 32767},
                 {u16, 0, 65535},
                 {s8, -128, 127},
                 {u8, 0, 255}};
  for (int i = 0; i < 20'000; ++i) {
    for (const ScalarType from : {f16, bf16, f32, f64}) {
      const std::uint64_t a = source.next(from);
      const double x = double_of(convert(f64, from, a, {}));
      for (const auto& target : targets) {
        for (const Rounding r : kDirected) {
          if (std::isnan(x)) continue;
          ASSERT_EQ(static_cast<std::int64_t>(convert(target.type, from, a, {.rounding = r})),
                    expected_integer(x, r, target.least, target.largest))
              << std::hex << a << " rounding " << int(r);
        }
      }
    }
  }
}

TEST(Convert, NanAndHugeValuesToIntegers) {
  EXPECT_EQ(convert(s32, f32, 0x7fc00000u, {}), 0u);
  EXPECT_EQ(convert(s64, f32, 0x7fc00000u, {}), 0x8000000000000000ull);
  EXPECT_EQ(convert(u32, f64, kF64.nan, {}), 0x80000000ull);
  EXPECT_EQ(convert(s32, f64, kF64.nan, {}), 0xffffffff80000000ull);
  EXPECT_EQ(convert(s64, f32, 0x7f800000u, {}), 0x7fffffffffffffffull);
  EXPECT_EQ(convert(u64, f32, 0x5f800000u, {}), ~0ull);
  EXPECT_EQ(convert(u64, f32, 0x5f000000u, {}), 0x8000000000000000ull);
  EXPECT_EQ(convert(s64, f32, 0xdf000000u, {}), 0x8000000000000000ull);
  EXPECT_EQ(convert(s32, f32, 1u, {.rounding = Rounding::rp}), 1u);
  EXPECT_EQ(convert(s32, f32, 1u, {.rounding = Rounding::rp, .ftz = true}), 0u);
}

TEST(Convert, IntegersNarrowWidenAndSaturate) {
  EXPECT_EQ(convert(s8, s32, 0x1ffu, {}), ~0ull);
  EXPECT_EQ(convert(u8, s32, 0x1ffu, {}), 0xffu);
  EXPECT_EQ(convert(s8, s32, 0x1ffu, {.sat = true}), 127u);
  EXPECT_EQ(convert(u8, s32, 0xffffffffu, {.sat = true}), 0u);
  EXPECT_EQ(convert(s32, u32, 0xffffffffu, {.sat = true}), 0x7fffffffu);
  EXPECT_EQ(convert(s64, s32, 0x80000000u, {}), 0xffffffff80000000ull);
  EXPECT_EQ(convert(u64, u16, 0xffffu, {}), 0xffffu);
}

TEST(Convert, FloatsRoundToWholeFloats) {
  EXPECT_EQ(convert(f32, f32, 0x40200000u, {.integral = true}), 0x40000000u);  // 2.5 to 2
  EXPECT_EQ(convert(f32, f32, 0xbe800000u, {.rounding = Rounding::rp, .integral = true}), 0x80000000u);
  EXPECT_EQ(convert(f64, f64, 0xbfe0000000000000ull, {.rounding = Rounding::rm, .integral = true}),
            0xbff0000000000000ull);
  EXPECT_EQ(convert(f16, f16, 0x3e00u, {.rounding = Rounding::rz, .integral = true}), 0x3c00u);
}

TEST(Convert, ModifiersOfFloatResults) {
  EXPECT_EQ(convert(f16, f32, 0x7f7fffffu, {.satfinite = true}), 0x7bffu);
  EXPECT_EQ(convert(f16, f32, 0xff800000u, {.satfinite = true}), 0xfbffu);
  EXPECT_EQ(convert(f16, f32, 0xff800000u, {.satfinite = true, .relu = true}), 0u);
  EXPECT_EQ(convert(bf16, f32, 0x7fc00000u, {.relu = true}), 0x7fffu);
  EXPECT_EQ(convert(f32, f64, 0x4000000000000000ull, {.sat = true}), 0x3f800000u);
  EXPECT_EQ(convert(f16, f32, 0x7fc00000u, {.sat = true}), 0u);
  EXPECT_EQ(convert(f32, f32, 0x80000001u, {.ftz = true}), 0x80000000u);
  EXPECT_EQ(convert(f32, bf16, 0x7fc1u, {}), 0x7fc10000u);
}

TEST(Convert, Tf32KeepsTenMantissaBits) {
  EXPECT_EQ(convert(tf32, f32, 0x3f801000u, {.rounding = Rounding::rna}), 0x3f802000u);
  EXPECT_EQ(convert(tf32, f32, 0x3f801000u, {.rounding = Rounding::rn}), 0x3f800000u);
  EXPECT_EQ(convert(tf32, f32, 0x3f803000u, {.rounding = Rounding::rn}), 0x3f804000u);
  EXPECT_EQ(convert(tf32, f32, 0xbf803fffu, {.rounding = Rounding::rz}), 0xbf802000u);
  EXPECT_EQ(convert(tf32, f32, 0x7f7fffffu, {.rounding = Rounding::rna, .satfinite = true}), 0x7f7fe000u);
  EXPECT_EQ(convert(tf32, f32, 0xff800001u, {.rounding = Rounding::rz}), 0x7fffe000u);
  EXPECT_EQ(convert(tf32, f32, 0xffc00000u, {.rounding = Rounding::rna}), 0xffc00000u);
}

}  // namespace
}  // namespace kgen::emulator
