#pragma once

#include "harness/judge/shared/portable.hpp"

namespace kgen::judge {

/// core::DType by number, in its order (device_source.cpp asserts it).
enum DTypeCode : int {
  kF64,
  kF32,
  kF16,
  kBf16,
  kTf32,
  kF8e4m3,
  kF8e5m2,
  kI64,
  kU64,
  kI32,
  kU32,
  kI16,
  kU16,
  kI8,
  kU8,
  kB8,
  kU4x8
};

/// A binary floating-point format: IEEE 754's binary16 and binary32, bfloat16, OCP OFP8's E4M3 and E5M2.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;  ///< without the implicit one
  bool has_infinity;  ///< E4M3 has none: its all-ones pattern alone is NaN
};

KGEN_SHARED FloatFormat format_of(int dtype) {
  switch (dtype) {
    case kF64:
      return {11, 52, true};
    case kF32:
    case kTf32:
      return {8, 23, true};
    case kF16:
      return {5, 10, true};
    case kBf16:
      return {8, 7, true};
    case kF8e4m3:
      return {4, 3, false};
    default:
      return {5, 2, true};
  }
}

KGEN_SHARED bool is_float_code(int dtype) {
  return dtype <= kF8e5m2;
}

KGEN_SHARED int bytes_of_code(int dtype) {
  constexpr int sizes[] = {8, 4, 2, 2, 4, 1, 1, 8, 8, 4, 4, 2, 2, 1, 1, 1, 4};
  return sizes[dtype];
}

KGEN_SHARED int bias_of(const FloatFormat& format) {
  return (1 << (format.exponent_bits - 1)) - 1;
}

/// Largest bit pattern (without sign) of a finite number.
KGEN_SHARED U64 largest_finite_bits(const FloatFormat& format) {
  const U64 all_exponents = ((1ull << format.exponent_bits) - 1) << format.mantissa_bits;
  return format.has_infinity ? all_exponents - 1 : (all_exponents | ((1ull << format.mantissa_bits) - 1)) - 1;
}

/// `value` rounded to nearest, ties to even. Beyond the largest finite value: infinity where the format has
/// one, else that value (as CUDA's own conversion saturates). NaN stays NaN, with its sign and the leading
/// bits of its payload (quiet or signalling), the last one set where none is.
KGEN_SHARED U64 encode_float(const FloatFormat& format, double value) {
  const U64 bits = bits_of(value);
  const int mantissa = format.mantissa_bits;
  const U64 sign = (bits >> 63) << (format.exponent_bits + mantissa);
  const U64 largest = largest_finite_bits(format);
  const U64 magnitude = bits & 0x7fffffffffffffffull;
  if (mantissa == 52) return bits;
  if (is_nan(value)) {
    const U64 payload = (magnitude & 0x000fffffffffffffull) >> (52 - mantissa);
    return sign | (largest + 1 + (format.has_infinity ? payload != 0 ? payload : 1 : 0));
  }
  if (magnitude < 0x0010000000000000ull) return sign;  // zero, or far below every format's smallest number
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  int biased = exponent + bias_of(format);
  int shift = 52 - mantissa;
  if (biased < 1) {
    shift += 1 - biased;
    biased = 1;
  }
  U64 result = 0;
  if (shift < 64) {
    const U64 significand = (magnitude & 0x000fffffffffffffull) | 0x0010000000000000ull;
    const U64 rest = significand & ((1ull << shift) - 1);
    const U64 half = 1ull << (shift - 1);
    U64 kept = significand >> shift;
    if (rest > half || (rest == half && (kept & 1))) ++kept;
    result = (static_cast<U64>(biased - 1) << mantissa) + kept;
  }
  if (result > largest) result = format.has_infinity ? largest + 1 : largest;
  return sign | result;
}

KGEN_SHARED double decode_float(const FloatFormat& format, U64 bits) {
  if (format.mantissa_bits == 52) return double_of(bits);
  const int mantissa = format.mantissa_bits;
  const U64 magnitude = bits & ((1ull << (format.exponent_bits + mantissa)) - 1);
  const U64 sign = (bits >> (format.exponent_bits + mantissa)) << 63;
  const U64 largest = largest_finite_bits(format);
  if (magnitude > largest) {
    if (format.has_infinity && magnitude == largest + 1) return double_of(sign | 0x7ff0000000000000ull);
    return double_of(0x7ff8000000000000ull);
  }
  const int biased = static_cast<int>(magnitude >> mantissa);
  const U64 fraction = magnitude & ((1ull << mantissa) - 1);
  if (biased == 0) {
    const double value = times(static_cast<double>(fraction), power_of_two(1 - bias_of(format) - mantissa));
    return double_of(bits_of(value) | sign);
  }
  const int exponent = biased - bias_of(format) + 1023;
  return double_of(sign | (static_cast<U64>(exponent) << 52) | (fraction << (52 - mantissa)));
}

struct IntegerRange {
  double low, high;
};
KGEN_SHARED IntegerRange range_of(int dtype) {
  switch (dtype) {
    case kI64:
      return {-9223372036854775808.0, 9223372036854774784.0};  // the largest double below 2^63
    case kU64:
      return {0.0, 18446744073709549568.0};
    case kI32:
      return {-2147483648.0, 2147483647.0};
    case kI16:
      return {-32768.0, 32767.0};
    case kU16:
      return {0.0, 65535.0};
    case kI8:
      return {-128.0, 127.0};
    case kU8:
      return {0.0, 255.0};
    case kB8:
      return {0.0, 1.0};
    default:
      return {0.0, 4294967295.0};
  }
}

/// `value` rounded to a whole number (ties to even) and clamped into the type. NaN becomes 0.
KGEN_SHARED U64 encode_integer(int dtype, double value) {
  if (is_nan(value)) return 0;
  const IntegerRange range = range_of(dtype);
  if (value < range.low) value = range.low;
  if (value > range.high) value = range.high;
  if (absolute(value) < 4503599627370496.0) {  // 2^52: adding it rounds to a whole number
    const double big = value < 0 ? -4503599627370496.0 : 4503599627370496.0;
    value = plus(plus(value, big), -big);
  }
  const U64 bits = value < 0 ? static_cast<U64>(static_cast<I64>(value)) : static_cast<U64>(value);
  const int width = 8 * bytes_of_code(dtype);
  return width == 64 ? bits : bits & ((1ull << width) - 1);
}

KGEN_SHARED double decode_integer(int dtype, U64 bits) {
  switch (dtype) {
    case kI64:
      return static_cast<double>(static_cast<I64>(bits));
    case kI32:
      return static_cast<double>(static_cast<int>(static_cast<unsigned int>(bits)));
    case kI16:
      return static_cast<double>(static_cast<short>(static_cast<unsigned short>(bits)));
    case kI8:
      return static_cast<double>(static_cast<signed char>(static_cast<unsigned char>(bits)));
    default:  // of a b8 too: a byte that is neither 0 nor 1 is no truth value
      return static_cast<double>(bits);
  }
}

/// The element's bits, in the low bytes of the result.
KGEN_SHARED U64 encode(int dtype, double value) {
  return is_float_code(dtype) ? encode_float(format_of(dtype), value) : encode_integer(dtype, value);
}
KGEN_SHARED double decode(int dtype, U64 bits) {
  return is_float_code(dtype) ? decode_float(format_of(dtype), bits) : decode_integer(dtype, bits);
}

KGEN_SHARED U64 load_element(const void* base, int bytes, I64 index) {
  switch (bytes) {
    case 8:
      return static_cast<const U64*>(base)[index];
    case 4:
      return static_cast<const unsigned int*>(base)[index];
    case 2:
      return static_cast<const unsigned short*>(base)[index];
    default:
      return static_cast<const unsigned char*>(base)[index];
  }
}
KGEN_SHARED void store_element(void* base, int bytes, I64 index, U64 bits) {
  switch (bytes) {
    case 8:
      static_cast<U64*>(base)[index] = bits;
      break;
    case 4:
      static_cast<unsigned int*>(base)[index] = static_cast<unsigned int>(bits);
      break;
    case 2:
      static_cast<unsigned short*>(base)[index] = static_cast<unsigned short>(bits);
      break;
    default:
      static_cast<unsigned char*>(base)[index] = static_cast<unsigned char>(bits);
      break;
  }
}

KGEN_SHARED double largest_finite(int dtype) {
  return decode_float(format_of(dtype), largest_finite_bits(format_of(dtype)));
}
KGEN_SHARED double smallest_normal(int dtype) {
  return power_of_two(1 - bias_of(format_of(dtype)));
}

}  // namespace kgen::judge
