#pragma once

#include <bit>
#include <cstdint>

#include "harness/emulator/arith_rounding.hpp"

namespace kgen::emulator {

/// A binary floating-point format, and the NaN that instructions with this result type make: PTX ISA,
/// "Floating Point Instructions" (f32), "Half Precision Floating Point Instructions" (f16, bf16), "Alternate
/// Floating-Point Data Formats".
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;  ///< without the implicit one
  bool has_infinity;  ///< E4M3 has none: its all-ones patterns alone are NaN
  std::uint64_t nan;

  constexpr int width() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint64_t sign() const { return 1ull << (exponent_bits + mantissa_bits); }
  constexpr std::uint64_t infinity() const { return ((1ull << exponent_bits) - 1) << mantissa_bits; }
  constexpr std::uint64_t smallest_normal() const { return 1ull << mantissa_bits; }
  constexpr std::uint64_t largest_finite() const { return has_infinity ? infinity() - 1 : sign() - 2; }
  constexpr std::uint64_t magnitude(std::uint64_t bits) const { return bits & (sign() - 1); }
  constexpr bool is_nan(std::uint64_t bits) const {
    return magnitude(bits) > (has_infinity ? infinity() : largest_finite());
  }
  constexpr bool is_infinity(std::uint64_t bits) const {
    return has_infinity && magnitude(bits) == infinity();
  }
  constexpr bool is_zero(std::uint64_t bits) const { return magnitude(bits) == 0; }
  constexpr bool is_subnormal(std::uint64_t bits) const {
    return magnitude(bits) != 0 && magnitude(bits) < smallest_normal();
  }
  /// `bits`, a subnormal replaced by the zero of its sign.
  constexpr std::uint64_t flushed(std::uint64_t bits) const {
    return magnitude(bits) < smallest_normal() ? bits & sign() : bits;
  }
};

inline constexpr FloatFormat kF64{11, 52, true, 0xfff8000000000000ull};
inline constexpr FloatFormat kF32{8, 23, true, 0x7fffffffull};
inline constexpr FloatFormat kF16{5, 10, true, 0x7fffull};
inline constexpr FloatFormat kBf16{8, 7, true, 0x7fffull};
inline constexpr FloatFormat kTf32{8, 10, true, 0x3ffffull};  ///< 19 bits: the upper ones of an f32
inline constexpr FloatFormat kE4m3{4, 3, false, 0x7full};
inline constexpr FloatFormat kE5m2{5, 2, true, 0x7full};

/// A finite number: significand * 2^exponent, negated where `negative`.
struct Exact {
  bool negative;
  int exponent;
  std::uint64_t significand;
};

/// The finite number that `bits` stands for; its significand is 0 for a zero.
constexpr Exact exact_of(const FloatFormat& format, std::uint64_t bits) {
  const std::uint64_t magnitude = format.magnitude(bits);
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint64_t fraction = magnitude & (format.smallest_normal() - 1);
  const bool negative = (bits & format.sign()) != 0;
  const int lowest = 1 - format.bias() - format.mantissa_bits;
  if (field == 0) return {negative, lowest, fraction};
  return {negative, lowest + field - 1, fraction | format.smallest_normal()};
}

/// Whether a magnitude with the odd or even last bit `odd`, and cut-off bits `half` and `rest` below it, goes
/// up.
constexpr bool rounds_up(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
    case Rounding::rn:
      return half && (rest || odd);
    case Rounding::rna:
      return half;
    case Rounding::rm:
      return negative && (half || rest);
    case Rounding::rp:
      return !negative && (half || rest);
    default:
      return false;
  }
}

/// What a magnitude beyond the largest finite one becomes (IEEE 754, 7.4). A format with no infinity stays
/// finite.
constexpr std::uint64_t overflow_magnitude(const FloatFormat& format, bool negative, Rounding rounding) {
  const bool outwards = rounding == Rounding::rn || rounding == Rounding::rna ||
                        (rounding == Rounding::rp && !negative) || (rounding == Rounding::rm && negative);
  return outwards && format.has_infinity ? format.infinity() : format.largest_finite();
}

/// `exact` rounded once to `format`. Its lowest bit may be sticky (stand for any non-zero rest below) as long
/// as the significand has at least two bits more than the format's.
constexpr std::uint64_t round_to(const FloatFormat& format, const Exact& exact, Rounding rounding) {
  const std::uint64_t sign = exact.negative ? format.sign() : 0;
  const std::uint64_t sig = exact.significand;
  if (sig == 0) return sign;
  const int lead = 63 - std::countl_zero(sig);
  const int least = 1 - format.bias();
  const int exponent = exact.exponent + lead;
  const int steps = exponent > least ? exponent - least : 0;
  const int drop = lead - format.mantissa_bits + (exponent < least ? least - exponent : 0);
  std::uint64_t kept = 0;
  bool half = false;
  bool rest = false;
  if (drop <= 0) {
    kept = sig << -drop;
  } else if (drop > 64) {
    rest = true;
  } else {
    kept = drop == 64 ? 0 : sig >> drop;
    half = ((sig >> (drop - 1)) & 1) != 0;
    rest = (sig & ((1ull << (drop - 1)) - 1)) != 0;
  }
  if (rounds_up(rounding, exact.negative, (kept & 1) != 0, half, rest)) ++kept;
  // The implicit one of `kept` adds the exponent field's first step; a carry out of the fraction adds the
  // next.
  const std::uint64_t magnitude = (static_cast<std::uint64_t>(steps) << format.mantissa_bits) + kept;
  if (magnitude > format.largest_finite()) return sign | overflow_magnitude(format, exact.negative, rounding);
  return sign | magnitude;
}

/// `bits` of `from` in the format `to`, rounded once. A NaN becomes `to`'s own, an infinity stays one where
/// there is one.
constexpr std::uint64_t convert_float(const FloatFormat& to, const FloatFormat& from, std::uint64_t bits,
                                      Rounding rounding) {
  if (from.is_nan(bits)) return to.nan;
  const std::uint64_t sign = (bits & from.sign()) != 0 ? to.sign() : 0;
  if (from.is_infinity(bits)) return sign | (to.has_infinity ? to.infinity() : to.largest_finite());
  return round_to(to, exact_of(from, bits), rounding);
}

}  // namespace kgen::emulator
