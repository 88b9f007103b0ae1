#pragma once

#include "harness/judge/shared/dtype_bits.hpp"
#include "harness/judge/shared/random.hpp"

namespace kgen::judge {

/// core::GeneratorKind by number, in its order (device_source.cpp asserts it).
enum GeneratorCode : int { kNormal, kUniform, kConstant, kIntegers, kFullMantissa, kOneHot, kSpecial };

/// How one tensor is filled; every value depends on (key, index) and these numbers alone.
struct FillParams {
  int kind = kNormal;
  int dtype = kF32;
  double mean = 0, stddev = 1, low = 0, high = 1, density = 1, row_stddev = 0;
  I64 per_row = 1;
  I64 row_length = 1;  ///< of the innermost dim
  U64 key = 0;
};

/// Draws of random_bits that a value may use.
enum Draw : int { kDrawDensity, kDrawValue, kDrawMore, kDrawSign };
constexpr U64 kRowStream = 0x5851f42d4c957f2dull;  ///< keeps draws of rows apart from those of elements

KGEN_SHARED bool is_dense(const FillParams& p, U64 index) {
  return p.density >= 1.0 || unit_real(random_bits(p.key, index, kDrawDensity)) < p.density;
}

KGEN_SHARED double normal_value(const FillParams& p, U64 index) {
  const double z =
      standard_normal(random_bits(p.key, index, kDrawValue), random_bits(p.key, index, kDrawMore));
  const double value = plus(p.mean, times(p.stddev, z));
  if (p.row_stddev == 0) return value;
  const U64 row = index / static_cast<U64>(p.row_length);
  const double row_z = standard_normal(random_bits(p.key ^ kRowStream, row, kDrawValue),
                                       random_bits(p.key ^ kRowStream, row, kDrawMore));
  return plus(value, times(p.row_stddev, row_z));
}

/// Where a row's one hot value stands: the last place and the first are those that kernels leave out.
KGEN_SHARED U64 hot_column(const FillParams& p, U64 row) {
  const U64 length = static_cast<U64>(p.row_length);
  switch (below(random_bits(p.key ^ kRowStream, row, 1), 8)) {
    case 0:
      return length - 1;
    case 1:
      return 0;
    default:
      return below(random_bits(p.key ^ kRowStream, row, 0), length);
  }
}

KGEN_SHARED double integer_value(const FillParams& p, U64 index) {
  const U64 count = static_cast<U64>(plus(p.high, -p.low)) + 1;
  return plus(p.low, static_cast<double>(below(random_bits(p.key, index, kDrawValue), count)));
}

/// Whether the element is among its row's `per_row` non-zeros (their places may coincide).
KGEN_SHARED bool is_chosen(const FillParams& p, I64 index) {
  if (p.per_row >= p.row_length) return true;
  const U64 row = static_cast<U64>(index / p.row_length), column = static_cast<U64>(index % p.row_length);
  if (p.per_row > 16) {
    const double share = static_cast<double>(p.per_row) / static_cast<double>(p.row_length);
    return unit_real(random_bits(p.key, static_cast<U64>(index), kDrawDensity)) < share;
  }
  for (int i = 0; i < static_cast<int>(p.per_row); ++i) {
    if (below(random_bits(p.key ^ kRowStream, row, i), static_cast<U64>(p.row_length)) == column) return true;
  }
  return false;
}

/// A significand in [1, 2) whose lowest bit in the dtype is set, with a random sign: no format with fewer
/// bits holds it.
KGEN_SHARED double full_mantissa_value(const FillParams& p, U64 index) {
  const int bits = is_float_code(p.dtype) ? format_of(p.dtype).mantissa_bits : 0;
  const U64 draw = random_bits(p.key, index, kDrawValue);
  const U64 fraction = bits == 0 ? 0 : ((draw >> 12) >> (52 - bits) | 1) << (52 - bits);
  const U64 sign = random_bits(p.key, index, kDrawSign) & 0x8000000000000000ull;
  return double_of(sign | 0x3ff0000000000000ull | fraction);
}

/// NaN, +-Inf, -0, the largest finite and a subnormal value of the dtype, one as likely as the other.
KGEN_SHARED double special_value(const FillParams& p, U64 index) {
  const U64 sign = random_bits(p.key, index, kDrawSign) & 0x8000000000000000ull;
  switch (below(random_bits(p.key, index, kDrawMore), 6)) {
    case 0:
      return double_of(0x7ff8000000000000ull);
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
    case kOneHot: {
      const U64 row = static_cast<U64>(index / p.row_length), column = static_cast<U64>(index % p.row_length);
      return hot_column(p, row) == column ? p.high : p.low;
    }
    case kSpecial:
      return is_float_code(p.dtype) && !is_dense(p, place) ? special_value(p, place) : normal_value(p, place);
    default:
      return is_dense(p, place) ? normal_value(p, place) : 0.0;
  }
}

/// The element's bits. Packed u4x8 elements are 32 random bits whatever the kind.
KGEN_SHARED U64 fill_bits(const FillParams& p, I64 index) {
  if (p.dtype == kU4x8) return random_bits(p.key, static_cast<U64>(index), kDrawValue) >> 32;
  return encode(p.dtype, fill_value(p, index));
}

}  // namespace kgen::judge
