#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "harness/emulator/arith_format.hpp"

namespace kgen::emulator {

/// What f16 and bf16 instructions add to their operation; .sat and .relu exclude each other.
struct HalfModifiers {
  bool ftz = false;   ///< f16 only: subnormal operands and results become zeros of their sign
  bool sat = false;   ///< into [0, 1], NaN to +0
  bool relu = false;  ///< below 0 and -0 to +0, NaN to the format's own
};

/// The value of 16 bits of kF16 or kBf16, exact.
template <const FloatFormat& F>
double half_value(std::uint32_t bits) {
  if constexpr (F.mantissa_bits == 7) {
    return static_cast<double>(std::bit_cast<float>(bits << 16));
  } else {
    // The fraction and exponent moved into a double's place; the factor 2^(1023-15) puts the bias right,
    // subnormals too.
    const std::uint64_t magnitude = static_cast<std::uint64_t>(bits & 0x7fffu) << 42;
    const std::uint64_t sign = static_cast<std::uint64_t>(bits & 0x8000u) << 48;
    if ((bits & 0x7c00u) == 0x7c00u) return std::bit_cast<double>(sign | 0x7ff0000000000000ull | magnitude);
    return std::bit_cast<double>(sign |
                                 std::bit_cast<std::uint64_t>(std::bit_cast<double>(magnitude) * 0x1p1008));
  }
}

/// `value` rounded to kF16 or kBf16; NaN becomes the format's own.
template <const FloatFormat& F>
std::uint32_t half_of(double value) {
  constexpr int cut = 52 - F.mantissa_bits;
  constexpr std::uint64_t bias_step = static_cast<std::uint64_t>(1023 - F.bias());
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & 0x7fffffffffffffffull;
  // What becomes a normal number, or rounds up to infinity, needs no more than an addition that rounds to
  // even.
  if (magnitude - ((bias_step + 1) << 52) < (static_cast<std::uint64_t>(2 * F.bias()) << 52)) {
    const std::uint64_t rounded = (magnitude + ((1ull << (cut - 1)) - 1) + ((magnitude >> cut) & 1)) >> cut;
    return static_cast<std::uint32_t>(rounded - (bias_step << F.mantissa_bits)) |
           static_cast<std::uint32_t>(bits >> 63) << 15;
  }
  return static_cast<std::uint32_t>(convert_float(F, kF64, bits, Rounding::rn));
}

/// a + b with the last bit set where the sum is not exact, so that a later rounding to a shorter format is
/// right (round to odd: Boldo & Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
/// using rounding to odd", 2008). The rest of the sum is Knuth's TwoSum.
inline double add_round_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double rest = (a - (sum - part)) + (b - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (!(rest != 0.0) || (bits & 1) != 0 || (bits << 1) >= (0x7ffull << 53)) return sum;
  return std::bit_cast<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <const FloatFormat& F>
std::uint32_t finish_half(std::uint32_t result, const HalfModifiers& modifiers) {
  constexpr auto one = static_cast<std::uint32_t>(F.bias()) << F.mantissa_bits;
  if (modifiers.ftz) result = static_cast<std::uint32_t>(F.flushed(result));
  const bool negative = (result & 0x8000u) != 0;
  if (modifiers.sat) {
    if (negative || F.is_nan(result)) return 0;
    return result > one ? one : result;
  }
  if (F.is_nan(result)) return static_cast<std::uint32_t>(F.nan);
  return modifiers.relu && negative ? 0 : result;
}

/// finish_half of `exact` rounded to nearest. .ftz flushes what is subnormal before it is rounded to a
/// subnormal's fewer bits (seen on an H200): from the midpoint below the least normal number on it is not.
template <const FloatFormat& F>
std::uint32_t round_half(double exact, const HalfModifiers& modifiers) {
  std::uint32_t result = half_of<F>(exact);
  if (modifiers.ftz && (result & 0x7fffu) == F.smallest_normal()) {
    const double least = half_value<F>(static_cast<std::uint32_t>(F.smallest_normal()));
    const double midpoint = least - least / static_cast<double>(4u << F.mantissa_bits);
    if (std::fabs(exact) < midpoint) result &= 0x8000u;
  }
  return finish_half<F>(result, modifiers);
}

template <const FloatFormat& F>
std::uint32_t enter_half(std::uint32_t operand, const HalfModifiers& modifiers) {
  return modifiers.ftz ? static_cast<std::uint32_t>(F.flushed(operand)) : operand;
}

/// add, sub, mul and fma on one f16 (kF16) or bf16 (kBf16), round to nearest even (PTX ISA, "Half Precision
/// Floating Point Instructions"). A double holds every product exactly and every sum well enough to round
/// once more.
template <const FloatFormat& F>
std::uint32_t fma_half(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                       const HalfModifiers& modifiers = {}) {
  const double product =
      half_value<F>(enter_half<F>(a, modifiers)) * half_value<F>(enter_half<F>(b, modifiers));
  const double sum = add_round_to_odd(product, half_value<F>(enter_half<F>(c, modifiers)));
  return round_half<F>(sum, modifiers);
}
template <const FloatFormat& F>
std::uint32_t add_half(std::uint32_t a, std::uint32_t b, const HalfModifiers& modifiers = {}) {
  const double sum = add_round_to_odd(half_value<F>(enter_half<F>(a, modifiers)),
                                      half_value<F>(enter_half<F>(b, modifiers)));
  return round_half<F>(sum, modifiers);
}
template <const FloatFormat& F>
std::uint32_t sub_half(std::uint32_t a, std::uint32_t b, const HalfModifiers& modifiers = {}) {
  return add_half<F>(a, b ^ 0x8000u, modifiers);
}
template <const FloatFormat& F>
std::uint32_t mul_half(std::uint32_t a, std::uint32_t b, const HalfModifiers& modifiers = {}) {
  const double product =
      half_value<F>(enter_half<F>(a, modifiers)) * half_value<F>(enter_half<F>(b, modifiers));
  return round_half<F>(product, modifiers);
}

/// abs and neg; a NaN's bits are unspecified and keep their payload here.
template <const FloatFormat& F>
std::uint32_t abs_half(std::uint32_t a, bool ftz = false) {
  return enter_half<F>(a, {.ftz = ftz}) & 0x7fffu;
}
template <const FloatFormat& F>
std::uint32_t neg_half(std::uint32_t a, bool ftz = false) {
  return enter_half<F>(a, {.ftz = ftz}) ^ 0x8000u;
}

/// The .f16x2 and .bf16x2 forms: `operation` on the lower and the upper halves of the operands.
template <typename Operation, typename... Operands>
std::uint32_t on_pair(Operation operation, Operands... operands) {
  const std::uint32_t low = operation((operands & 0xffffu)...);
  const std::uint32_t high = operation((operands >> 16)...);
  return (low & 0xffffu) | (high << 16);
}

}  // namespace kgen::emulator
