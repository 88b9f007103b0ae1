#pragma once

#include "harness/judge/shared/dtype_bits.hpp"
#include "harness/judge/shared/random.hpp"

namespace kgen::judge {

/// core::GeneratorKind by number, in its order (rules.cpp asserts it).
enum GeneratorCode : int {
  kNormal,
  kUniform,
  kConstant,
  kIntegers,
  kFullMantissa,
  kOneHot,
  kSpecial,
  kNonFinite,
  kLogScale,
  kPowerOfTwo,
  kRamp,
  kMaskedRuns,
  kBits,
  kFiniteBits,
  kZeroRuns,
  kPeak,
  kStripes,
  kRuns
};
constexpr int kGeneratorCodes = kRuns + 1;

/// How one tensor is filled; every value depends on (key, index) and these numbers alone.
struct FillParams {
  int kind = kNormal;
  int dtype = kF32;
  double mean = 0, stddev = 1, low = 0, high = 1, density = 1, row_stddev = 0;
  I64 per_row = 1;
  I64 row_length = 1;  ///< elements of a row, and how far apart they lie
  I64 row_stride = 1;
  I64 below = 0;  ///< values are folded into [0, below); 0: they are not
  I64 ends = 0;   ///< 1: values are where groups of below - 1 things end, and do not fall along a row
  U64 key = 0;
};

/// Draws of random_bits that a value may use.
enum Draw : int { kDrawDensity, kDrawValue, kDrawMore, kDrawSign, kDrawPattern };
constexpr U64 kRowStream = 0x5851f42d4c957f2dull;  ///< keeps draws of rows apart from those of elements

}  // namespace kgen::judge
