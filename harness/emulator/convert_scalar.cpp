#include "harness/emulator/convert_scalar.hpp"

#include <algorithm>

#include "harness/emulator/arith_format.hpp"
#include "harness/emulator/convert_common.hpp"

namespace kgen::emulator {
namespace {

const FloatFormat& format_of(ScalarType type) {
  switch (type) {
    case ScalarType::f16:
      return kF16;
    case ScalarType::bf16:
      return kBf16;
    case ScalarType::tf32:
      return kTf32;
    case ScalarType::f64:
      return kF64;
    case ScalarType::e4m3:
      return kE4m3;
    case ScalarType::e5m2:
      return kE5m2;
    default:
      return kF32;
  }
}

std::uint64_t low_bits(std::uint64_t bits, int width) {
  return width == 64 ? bits : bits & ((1ull << width) - 1);
}
std::uint64_t sign_extended(std::uint64_t bits, int width) {
  const int shift = 64 - width;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << shift) >> shift);
}

/// A whole number of up to 65 bits with its sign.
struct Whole {
  bool negative;
  std::uint64_t magnitude;
};

/// `number` in the integer type `to`, clamped into its range and extended to 64 bits.
std::uint64_t clamped(ScalarType to, const Whole& number) {
  const int width = bits_of(to);
  if (!is_signed_integer(to)) {
    const std::uint64_t largest = ~0ull >> (64 - width);
    return number.negative ? 0 : std::min(number.magnitude, largest);
  }
  const std::uint64_t limit = 1ull << (width - 1);  // the magnitude of the least value
  if (number.negative) return 0 - std::min(number.magnitude, limit);
  return std::min(number.magnitude, limit - 1);
}

Whole whole_of(ScalarType from, std::uint64_t bits) {
  if (!is_signed_integer(from)) return {false, low_bits(bits, bits_of(from))};
  const std::uint64_t extended = sign_extended(bits, bits_of(from));
  const bool negative = (extended >> 63) != 0;
  return {negative, negative ? 0 - extended : extended};
}

/// The finite `value` rounded to a whole number; magnitudes of 2^64 and more become 2^64 - 1.
Whole rounded_whole(const Exact& value, Rounding rounding) {
  const std::uint64_t sig = value.significand;
  if (sig == 0 || value.exponent >= 0) {
    const bool fits = sig == 0 || (value.exponent < 64 && std::countl_zero(sig) >= value.exponent);
    return {value.negative, fits && sig != 0 ? sig << value.exponent : (fits ? 0 : ~0ull)};
  }
  const int drop = -value.exponent;
  if (drop > 64) return {value.negative, rounds_up(rounding, value.negative, false, false, true) ? 1u : 0u};
  const std::uint64_t kept = drop == 64 ? 0 : sig >> drop;
  const bool half = ((sig >> (drop - 1)) & 1) != 0;
  const bool rest = (sig & ((1ull << (drop - 1)) - 1)) != 0;
  return {value.negative,
          kept + (rounds_up(rounding, value.negative, (kept & 1) != 0, half, rest) ? 1u : 0u)};
}

std::uint64_t float_to_integer(ScalarType to, ScalarType from, std::uint64_t bits, Rounding rounding) {
  const FloatFormat& format = format_of(from);
  if (format.is_nan(bits)) {
    const bool wide = from == ScalarType::f64 || bits_of(to) == 64;
    const std::uint64_t top = 1ull << (bits_of(to) - 1);
    if (!wide) return 0;
    return is_signed_integer(to) ? 0 - top : top;
  }
  const bool negative = (bits & format.sign()) != 0;
  if (format.is_infinity(bits)) return clamped(to, {negative, ~0ull});
  return clamped(to, rounded_whole(exact_of(format, bits), rounding));
}

/// A float rounded to a whole number of the same format, which always holds it.
std::uint64_t rounded_float(const FloatFormat& format, std::uint64_t bits, Rounding rounding) {
  const Exact value = exact_of(format, bits);
  if (value.exponent >= 0 || value.significand == 0) return bits;
  const Whole whole = rounded_whole(value, rounding);
  return round_to(format, {whole.negative, 0, whole.magnitude}, Rounding::rn);
}

std::uint64_t finish(const FloatFormat& format, std::uint64_t result, const ConvertModifiers& modifiers,
                     bool never_infinite, bool f32_result) {
  if (f32_result && modifiers.ftz) result = format.flushed(result);
  const bool negative = (result & format.sign()) != 0;
  if (modifiers.sat) {
    const std::uint64_t one = static_cast<std::uint64_t>(format.bias()) << format.mantissa_bits;
    return negative || format.is_nan(result) ? 0 : std::min(result, one);
  }
  if (modifiers.relu && negative && !format.is_nan(result)) result = 0;
  const bool saturates = modifiers.satfinite || never_infinite;
  if (saturates && format.is_infinity(result)) return (result & format.sign()) | format.largest_finite();
  return result;
}

std::uint64_t to_float(ScalarType to, ScalarType from, std::uint64_t bits,
                       const ConvertModifiers& modifiers) {
  const FloatFormat& source = format_of(from);
  const FloatFormat& target = format_of(to);
  if (from == ScalarType::bf16 && to == ScalarType::f32 && !modifiers.sat) {
    const std::uint64_t widened = bits << 16;
    return modifiers.ftz ? kF32.flushed(widened) : widened;
  }
  if (modifiers.ftz && from == ScalarType::f32) bits = source.flushed(bits);
  std::uint64_t result = 0;
  if (modifiers.integral && !source.is_nan(bits) && !source.is_infinity(bits)) {
    result = convert_float(target, source, rounded_float(source, bits, modifiers.rounding), Rounding::rn);
  } else {
    result = convert_float(target, source, bits, modifiers.rounding);
  }
  const bool eight_bits = to == ScalarType::e4m3 || to == ScalarType::e5m2;
  result = finish(target, result, modifiers, eight_bits, to == ScalarType::f32);
  if (to != ScalarType::tf32) return result;
  if (!target.is_nan(result)) return result << 13;
  // An H200 gives zeros in the lower 13 bits, which the ISA leaves open. .rna makes no NaN of its own: it
  // cuts the operand's, so that 0x7f800001 becomes an infinity.
  return modifiers.rounding == Rounding::rna ? bits & 0xffffe000u : result << 13;
}

}  // namespace

std::uint64_t convert(ScalarType to, ScalarType from, std::uint64_t bits, const ConvertModifiers& modifiers) {
  if (const std::optional<std::uint64_t> common = convert_common(to, from, bits, modifiers)) return *common;
  return convert_exactly(to, from, bits, modifiers);
}

std::uint64_t convert_exactly(ScalarType to, ScalarType from, std::uint64_t bits,
                              const ConvertModifiers& modifiers) {
  bits = low_bits(bits, bits_of(from));
  if (is_integer(from) && is_integer(to)) {
    if (modifiers.sat) return clamped(to, whole_of(from, bits));
    const std::uint64_t extended = is_signed_integer(from) ? sign_extended(bits, bits_of(from)) : bits;
    const std::uint64_t cut = low_bits(extended, bits_of(to));
    return is_signed_integer(to) ? sign_extended(cut, bits_of(to)) : cut;
  }
  if (is_float(from) && is_integer(to)) {
    if (modifiers.ftz && from == ScalarType::f32) bits = kF32.flushed(bits);
    return float_to_integer(to, from, bits, modifiers.rounding);
  }
  const bool tf32_pair = to == ScalarType::tf32 && from == ScalarType::f32;
  if ((to == ScalarType::tf32 || from == ScalarType::tf32) && !tf32_pair) return 0;
  if (is_integer(from) && is_float(to)) {
    const Whole whole = whole_of(from, bits);
    const std::uint64_t result =
        round_to(format_of(to), {whole.negative, 0, whole.magnitude}, modifiers.rounding);
    return finish(format_of(to), result, modifiers, false, to == ScalarType::f32);
  }
  if (is_float(from) && is_float(to)) return to_float(to, from, bits, modifiers);
  return 0;
}

std::uint32_t convert_pair(ScalarType to_pair, ScalarType from, std::uint64_t high, std::uint64_t low,
                           const ConvertModifiers& modifiers) {
  const ScalarType to = element_of(to_pair);
  const auto upper = static_cast<std::uint32_t>(convert(to, from, high, modifiers));
  const auto lower = static_cast<std::uint32_t>(convert(to, from, low, modifiers));
  return (upper << bits_of(to)) | lower;
}

std::uint32_t convert_packed(ScalarType to_pair, ScalarType from_pair, std::uint32_t packed,
                             const ConvertModifiers& modifiers) {
  const ScalarType from = element_of(from_pair);
  return convert_pair(to_pair, from, packed >> bits_of(from), packed, modifiers);
}

}  // namespace kgen::emulator
