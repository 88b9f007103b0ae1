#pragma once

#include "harness/judge/shared/dtype_bits.hpp"
#include "harness/judge/shared/random.hpp"

namespace kgen::judge {

/// core::GeneratorKind by number, in its order (device_source.cpp asserts it).
enum GeneratorCode : int {
  kNormal,
  kUniform,
  kConstant,
  kIntegers,
  kFullMantissa,
  kOneHot,
  kSpecial,
  kNonFinite
};

/// How one tensor is filled; every value depends on (key, index) and these numbers alone.
struct FillParams {
  int kind = kNormal;
  int dtype = kF32;
  double mean = 0, stddev = 1, low = 0, high = 1, density = 1, row_stddev = 0;
  I64 per_row = 1;
  I64 row_length = 1;  ///< elements of a row, and how far apart they lie
  I64 row_stride = 1;
  I64 below = 0;  ///< values are folded into [0, below); 0: they are not
  U64 key = 0;
};

/// Draws of random_bits that a value may use.
enum Draw : int { kDrawDensity, kDrawValue, kDrawMore, kDrawSign };
constexpr U64 kRowStream = 0x5851f42d4c957f2dull;  ///< keeps draws of rows apart from those of elements

KGEN_SHARED bool is_dense(const FillParams& p, U64 index) {
  return p.density >= 1.0 || unit_real(random_bits(p.key, index, kDrawDensity)) < p.density;
}

/// Row and place in it of an element.
struct RowPlace {
  U64 row, column;
};
KGEN_SHARED RowPlace row_place(const FillParams& p, I64 index) {
  const I64 line = index / p.row_stride;
  return {static_cast<U64>(line / p.row_length * p.row_stride + index % p.row_stride),
          static_cast<U64>(line % p.row_length)};
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
  const RowPlace at = row_place(p, index);
  if (p.per_row > 16) {
    const double share = static_cast<double>(p.per_row) / static_cast<double>(p.row_length);
    return unit_real(random_bits(p.key, static_cast<U64>(index), kDrawDensity)) < share;
  }
  for (int i = 0; i < static_cast<int>(p.per_row); ++i) {
    if (below(random_bits(p.key ^ kRowStream, at.row, i), static_cast<U64>(p.row_length)) == at.column)
      return true;
  }
  return false;
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

/// The first `kinds` of NaN, Inf, -Inf, -0, the largest finite and a subnormal value of the dtype, one as
/// likely as the other.
KGEN_SHARED double special_value(const FillParams& p, U64 index, U64 kinds) {
  const U64 sign = random_bits(p.key, index, kDrawSign) & 0x8000000000000000ull;
  switch (below(random_bits(p.key, index, kDrawMore), kinds)) {
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
      const RowPlace at = row_place(p, index);
      return hot_column(p, at.row) == at.column ? p.high : p.low;
    }
    case kSpecial:
      return is_float_code(p.dtype) && !is_dense(p, place) ? special_value(p, place, 6)
                                                           : normal_value(p, place);
    case kNonFinite:
      return is_float_code(p.dtype) && !is_dense(p, place) ? special_value(p, place, 4)
                                                           : normal_value(p, place);
    default:
      return is_dense(p, place) ? normal_value(p, place) : 0.0;
  }
}

/// A whole number in [0, below); what is negative counts from the end, so -1 is the last.
KGEN_SHARED double folded(double value, I64 below) {
  const I64 rest = static_cast<I64>(encode_integer(kI64, value)) % below;
  return static_cast<double>(rest < 0 ? rest + below : rest);
}

/// The element's bits. Packed u4x8 elements are 32 random bits whatever the kind.
KGEN_SHARED U64 fill_bits(const FillParams& p, I64 index) {
  if (p.dtype == kU4x8) return random_bits(p.key, static_cast<U64>(index), kDrawValue) >> 32;
  const double value = fill_value(p, index);
  return encode(p.dtype, p.below > 0 ? folded(value, p.below) : value);
}

}  // namespace kgen::judge
