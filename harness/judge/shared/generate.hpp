#pragma once

#include "harness/judge/shared/row_values.hpp"

namespace kgen::judge {

KGEN_SHARED bool is_dense(const FillParams& p, U64 index) {
  return p.density >= 1.0 || unit_real(random_bits(p.key, index, kDrawDensity)) < p.density;
}

KGEN_SHARED double normal_value(const FillParams& p, U64 index) {
  const double z =
      standard_normal(random_bits(p.key, index, kDrawValue), random_bits(p.key, index, kDrawMore));
  const double value = plus(p.mean, times(p.stddev, z));
  if (p.row_stddev == 0) return value;
  const U64 row = row_place(p, static_cast<I64>(index)).row;
  const double row_z = standard_normal(random_bits(p.key ^ kRowStream, row, kDrawValue),
                                       random_bits(p.key ^ kRowStream, row, kDrawMore));
  return plus(value, times(p.row_stddev, row_z));
}

/// How many whole numbers [low, high] has.
KGEN_SHARED U64 count_of_range(const FillParams& p) {
  return static_cast<U64>(plus(p.high, -p.low)) + 1;
}

KGEN_SHARED double integer_value(const FillParams& p, U64 index) {
  return plus(p.low, static_cast<double>(below(random_bits(p.key, index, kDrawValue), count_of_range(p))));
}

/// A significand in [1, 2) whose lowest bit in the dtype is set, with a random sign: no format with fewer
/// bits holds it. In tf32 that is the lowest of the bits that products keep.
KGEN_SHARED double full_mantissa_value(const FillParams& p, U64 index) {
  const int bits = p.dtype == kTf32 ? 10 : is_float_code(p.dtype) ? format_of(p.dtype).mantissa_bits : 0;
  const U64 draw = random_bits(p.key, index, kDrawValue);
  const U64 fraction = bits == 0 ? 0 : ((draw >> 12) >> (52 - bits) | 1) << (52 - bits);
  const U64 sign = random_bits(p.key, index, kDrawSign) & 0x8000000000000000ull;
  return double_of(sign | 0x3ff0000000000000ull | fraction);
}

/// A NaN, one kind as likely as the other: the canonical one, x86's (0 / 0, sign set), one with all bits of
/// the payload set (what GPUs make of a NaN), or any, signalling ones included. Formats keep its sign and
/// the leading bits of its payload. Of the ten that products of tf32 see one at least is set.
KGEN_SHARED U64 nan_bits(U64 draw) {
  const U64 drawn = draw & 0x000fffffffffffffull;
  const U64 payload = drawn >> 42 != 0 ? drawn : drawn | 1ull << 42;
  switch (draw >> 62) {
    case 0:
      return 0x7ff8000000000000ull;
    case 1:
      return 0xfff8000000000000ull;
    case 2:
      return 0x7fffffffffffffffull;
    default:
      return 0x7ff0000000000000ull | (draw << 8 & 0x8000000000000000ull) | payload;
  }
}

/// The first `kinds` of NaN, Inf, -Inf, -0, the largest finite and a subnormal value of the dtype, one as
/// likely as the other.
KGEN_SHARED double special_value(const FillParams& p, U64 index, U64 kinds) {
  const U64 sign = random_bits(p.key, index, kDrawSign) & 0x8000000000000000ull;
  switch (below(random_bits(p.key, index, kDrawMore), kinds)) {
    case 0:
      return double_of(nan_bits(random_bits(p.key, index, kDrawPattern)));
    case 1:
      return double_of(0x7ff0000000000000ull);
    case 2:
      return double_of(0xfff0000000000000ull);
    case 3:
      return double_of(0x8000000000000000ull);
    case 4:
      return double_of(bits_of(largest_finite(p.dtype)) | sign);
    default:
      return double_of(bits_of(times(smallest_normal(p.dtype), 0.5)) | sign);
  }
}

/// +-2^e, e whole in [low, high] and not beyond the dtype's normal numbers, `room` powers below the largest.
KGEN_SHARED double signed_power(const FillParams& p, U64 index, int room) {
  const int bias = is_float_code(p.dtype) ? bias_of(format_of(p.dtype)) : 30;
  const int least = 1 - bias, most = bias - room;
  int low = static_cast<int>(p.low), high = static_cast<int>(p.high);
  if (low < least) low = least;
  if (low > most) low = most;
  if (high > most) high = most;
  if (high < low) high = low;
  const U64 count = static_cast<U64>(high) - static_cast<U64>(low) + 1;
  const int exponent = low + static_cast<int>(below(random_bits(p.key, index, kDrawMore), count));
  const U64 sign = random_bits(p.key, index, kDrawSign) & 0x8000000000000000ull;
  return double_of(bits_of(power_of_two(exponent)) | sign);
}

/// The same times a random significand in [1, 2).
KGEN_SHARED double log_scale_value(const FillParams& p, U64 index) {
  const U64 fraction = random_bits(p.key, index, kDrawValue) >> 12;
  return double_of(bits_of(signed_power(p, index, 1)) | fraction);
}

/// Bare powers: with room for eight of them to be added up.
KGEN_SHARED double power_value(const FillParams& p, U64 index) {
  return signed_power(p, index, 3);
}

/// In [low, high], by the element's run.
KGEN_SHARED double run_value(const FillParams& p, U64 index) {
  return plus(p.low, static_cast<double>(run_number(p, index) % count_of_range(p)));
}

KGEN_SHARED bool is_of_patterns(const FillParams& p) {
  return (p.kind == kBits || p.kind == kFiniteBits) && is_float_code(p.dtype);
}

/// A bit pattern of the dtype. Any 2^16 elements in a line have every pattern of 8 or 16 bits, and of wider
/// ones every pattern of the upper 16, in an order of the key's. A NaN or infinity that is not meant to be
/// one has the highest bit of its exponent cleared.
KGEN_SHARED U64 bit_pattern(const FillParams& p, U64 index) {
  const FloatFormat format = format_of(p.dtype);
  const int width = 1 + format.exponent_bits + format.mantissa_bits;
  const U64 turn = p.key + index * (mix64(p.key) | 1);
  U64 bits = turn & ((1ull << (width < 16 ? width : 16)) - 1);
  if (width > 16) bits = bits << (width - 16) | random_bits(p.key, index, kDrawPattern) >> (80 - width);
  const U64 top_exponent_bit = 1ull << (width - 2);
  const bool is_finite = (bits & (2 * top_exponent_bit - 1)) <= largest_finite_bits(format);
  return p.kind == kFiniteBits && !is_finite ? bits & ~top_exponent_bit : bits;
}

/// Any whole number of the dtype.
KGEN_SHARED U64 integer_pattern(const FillParams& p, U64 index) {
  const int width = p.dtype == kB8 ? 1 : 8 * bytes_of_code(p.dtype);
  return random_bits(p.key, index, kDrawPattern) >> (64 - width);
}

/// Value of element `index` before it is rounded to the dtype.
KGEN_SHARED double fill_value(const FillParams& p, I64 index) {
  const U64 place = static_cast<U64>(index);
  switch (p.kind) {
    case kUniform:
      return plus(p.low, times(plus(p.high, -p.low), unit_real(random_bits(p.key, place, kDrawValue))));
    case kConstant:
      return p.low;
    case kIntegers:
      return is_dense(p, place) ? integer_value(p, place) : 0.0;
    case kFullMantissa:
      return is_chosen(p, index) ? full_mantissa_value(p, place) : 0.0;
    case kOneHot:
      return is_hot(p, index) ? p.high : p.low;
    case kSpecial:
      return is_float_code(p.dtype) && !is_dense(p, place) ? special_value(p, place, 6)
                                                           : normal_value(p, place);
    case kNonFinite:
      return is_float_code(p.dtype) && !is_dense(p, place) ? special_value(p, place, 4)
                                                           : normal_value(p, place);
    case kLogScale:
      return is_dense(p, place) ? log_scale_value(p, place) : 0.0;
    case kPowerOfTwo:
      return is_dense(p, place) ? power_value(p, place) : 0.0;
    case kRamp:
      return ramp_value(p, index);
    case kMaskedRuns:
      return is_masked(p, index) ? double_of(0xfff0000000000000ull) : normal_value(p, place);
    case kZeroRuns:
      return is_masked(p, index) ? 0.0 : normal_value(p, place);
    case kPeak:
      return is_hot(p, index) ? p.high : normal_value(p, place);
    case kStripes:
      return plus(normal_value(p, place), is_on_stripe(p, index) ? p.high : 0.0);
    case kRuns:
      return run_value(p, place);
    case kBits:
    case kFiniteBits:
      if (!is_dense(p, place)) return 0.0;
      return is_of_patterns(p) ? decode_float(format_of(p.dtype), bit_pattern(p, place))
                               : decode_integer(p.dtype, integer_pattern(p, place));
    default:
      return is_dense(p, place) ? normal_value(p, place) : 0.0;
  }
}

/// A whole number in [0, below); what is negative counts from the end, so -1 is the last.
KGEN_SHARED double folded(double value, I64 below) {
  const I64 rest = static_cast<I64>(encode_integer(kI64, value)) % below;
  return static_cast<double>(rest < 0 ? rest + below : rest);
}

/// Ends of groups: any, or the same for all groups but the last, which takes what is left.
KGEN_SHARED double end_value(const FillParams& p, I64 index) {
  const bool is_last = static_cast<I64>(row_place(p, index).column) == p.row_length - 1;
  if (p.kind == kConstant && !is_last) return folded(p.low, p.below);
  return static_cast<double>(group_end(p, index, static_cast<U64>(p.below) - 1));
}

/// The element's bits. Packed u4x8 elements are 32 random bits whatever the kind.
KGEN_SHARED U64 fill_bits(const FillParams& p, I64 index) {
  if (p.dtype == kU4x8) return random_bits(p.key, static_cast<U64>(index), kDrawValue) >> 32;
  if (p.ends != 0) return encode(p.dtype, end_value(p, index));
  const U64 place = static_cast<U64>(index);
  if (is_of_patterns(p)) return is_dense(p, place) ? bit_pattern(p, place) : 0;  // payloads of NaNs as well
  const bool is_any_integer = (p.kind == kBits || p.kind == kFiniteBits) && p.below == 0;
  if (is_any_integer) return is_dense(p, place) ? integer_pattern(p, place) : 0;  // a double has fewer bits
  const double value = fill_value(p, index);
  return encode(p.dtype, p.below > 0 ? folded(value, p.below) : value);
}

}  // namespace kgen::judge
