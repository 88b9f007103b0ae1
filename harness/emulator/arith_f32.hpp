#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "harness/emulator/arith_half.hpp"
#include "harness/emulator/arith_rounding.hpp"

namespace kgen::emulator {

/// Every NaN that a single-precision instruction makes.
inline constexpr std::uint32_t kNanF32 = 0x7fffffffu;

inline float float_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
inline std::uint32_t bits_of_f32(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
inline bool is_nan_f32(std::uint32_t a) {
  return (a & 0x7fffffffu) > 0x7f800000u;
}

/// `a` with a subnormal replaced by a zero of its sign: what .ftz does to operands and results.
inline std::uint32_t flush_f32(std::uint32_t a) {
  return (a & 0x7f800000u) == 0 ? a & 0x80000000u : a;
}

/// .ftz flushes what is subnormal before it is rounded to a subnormal's fewer bits: a result that only this
/// rounding makes the least normal number is flushed too (seen on an H200). `exact` is the unrounded value,
/// right in its comparisons with 24-bit numbers and their midpoints.
inline std::uint32_t flush_tiny_f32(std::uint32_t result, double exact, Rounding rounding) {
  if ((result & 0x7fffffffu) != 0x00800000u) return result;
  const double size = std::fabs(exact);
  const bool tiny = rounding == Rounding::rn ? size < 0x1p-126 - 0x1p-151 : size <= 0x1p-126 - 0x1p-150;
  return tiny ? result & 0x80000000u : result;
}

/// .sat: clamped into [0, 1]; NaN and -0 become +0.
inline std::uint32_t saturate_f32(std::uint32_t a) {
  const float value = float_of(a);
  if (!(value > 0.0f)) return 0;
  return value > 1.0f ? 0x3f800000u : a;
}

/// What follows every single-precision operation: one NaN, .ftz, .sat.
inline std::uint32_t finish_f32(std::uint32_t result, bool ftz, bool sat) {
  if (is_nan_f32(result)) result = kNanF32;
  if (ftz) result = flush_f32(result);
  return sat ? saturate_f32(result) : result;
}

/// The directed roundings of the operations below, before .ftz and .sat.
std::uint32_t directed_add_f32(std::uint32_t a, std::uint32_t b, Rounding rounding);
std::uint32_t directed_mul_f32(std::uint32_t a, std::uint32_t b, Rounding rounding);
std::uint32_t directed_fma_f32(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding);

/// add.f32, sub.f32, mul.f32, fma.f32 and mad.f32 (PTX ISA, "Floating Point Instructions"): one rounding,
/// exact bits. The host must be in its default rounding mode, round to nearest, and must not flush
/// subnormals.
inline std::uint32_t add_f32(std::uint32_t a, std::uint32_t b, Rounding rounding = Rounding::rn,
                             bool ftz = false, bool sat = false) {
  if (ftz) {
    a = flush_f32(a);
    b = flush_f32(b);
  }
  const std::uint32_t sum =
      rounding == Rounding::rn ? bits_of_f32(float_of(a) + float_of(b)) : directed_add_f32(a, b, rounding);
  return finish_f32(sum, ftz, sat);
}
inline std::uint32_t sub_f32(std::uint32_t a, std::uint32_t b, Rounding rounding = Rounding::rn,
                             bool ftz = false, bool sat = false) {
  return add_f32(a, b ^ 0x80000000u, rounding, ftz, sat);
}
inline std::uint32_t mul_f32(std::uint32_t a, std::uint32_t b, Rounding rounding = Rounding::rn,
                             bool ftz = false, bool sat = false) {
  if (ftz) {
    a = flush_f32(a);
    b = flush_f32(b);
  }
  std::uint32_t product =
      rounding == Rounding::rn ? bits_of_f32(float_of(a) * float_of(b)) : directed_mul_f32(a, b, rounding);
  if (ftz) {
    const double exact = static_cast<double>(float_of(a)) * static_cast<double>(float_of(b));
    product = flush_tiny_f32(product, exact, rounding);
  }
  return finish_f32(product, ftz, sat);
}
inline std::uint32_t fma_f32(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                             Rounding rounding = Rounding::rn, bool ftz = false, bool sat = false) {
  if (ftz) {
    a = flush_f32(a);
    b = flush_f32(b);
    c = flush_f32(c);
  }
  std::uint32_t result = rounding == Rounding::rn
                             ? bits_of_f32(std::fma(float_of(a), float_of(b), float_of(c)))
                             : directed_fma_f32(a, b, c, rounding);
  if (ftz && (result & 0x7fffffffu) == 0x00800000u) {
    const double product = static_cast<double>(float_of(a)) * static_cast<double>(float_of(b));
    result = flush_tiny_f32(result, add_round_to_odd(product, static_cast<double>(float_of(c))), rounding);
  }
  return finish_f32(result, ftz, sat);
}

/// div.rnd.f32, rcp.rnd.f32 and sqrt.rnd.f32: IEEE 754 results in any rounding.
std::uint32_t div_f32(std::uint32_t a, std::uint32_t b, Rounding rounding = Rounding::rn, bool ftz = false);
std::uint32_t rcp_f32(std::uint32_t a, Rounding rounding = Rounding::rn, bool ftz = false);
std::uint32_t sqrt_f32(std::uint32_t a, Rounding rounding = Rounding::rn, bool ftz = false);

/// abs.f32, neg.f32 and copysign.f32 (the sign of `a` on `b`). A NaN keeps its payload: its bits are
/// unspecified.
inline std::uint32_t abs_f32(std::uint32_t a, bool ftz = false) {
  return (ftz ? flush_f32(a) : a) & 0x7fffffffu;
}
inline std::uint32_t neg_f32(std::uint32_t a, bool ftz = false) {
  return (ftz ? flush_f32(a) : a) ^ 0x80000000u;
}
inline std::uint32_t copysign_f32(std::uint32_t a, std::uint32_t b) {
  return (a & 0x80000000u) | (b & 0x7fffffffu);
}

}  // namespace kgen::emulator
