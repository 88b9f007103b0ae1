#pragma once

#include <cstdint>

#include "harness/emulator/arith_rounding.hpp"
#include "harness/emulator/scalar_type.hpp"

namespace kgen::emulator {

/// The modifiers of cvt (PTX ISA, "cvt").
struct ConvertModifiers {
  Rounding rounding = Rounding::rn;  ///< of the floating-point result, or of the integer one
  bool integral = false;   ///< .rni .rzi .rmi .rpi from float to the same float: the result is a whole number
  bool ftz = false;        ///< subnormal f32 operands and results become zeros of their sign
  bool sat = false;        ///< integers: clamped into the destination's range; floats: into [0, 1], NaN to +0
  bool satfinite = false;  ///< beyond the largest finite value: that value, with the sign; NaN stays NaN
  bool relu = false;       ///< negative results become +0; NaN becomes the destination's own
};

/// cvt of one value: `bits` of type `from` (higher bits are ignored) in type `to`. An integer result is
/// extended to 64 bits by its type's sign, so that the caller may store it into a wider register; a float's
/// higher bits are 0, tf32's value lies in the upper 19 of 32 bits.
///
/// Exact in every case. Float to integer clamps to the destination's range; NaN becomes 0, but from f64 or to
/// 64 bits the pattern with the highest bit alone. Widening bf16 to f32 keeps a NaN's payload (it is a
/// shift); every other conversion makes the destination's own NaN. e4m3 and e5m2 are always satfinite as
/// destinations. A pair of types that cvt has not gives 0: the decoder must refuse it.
std::uint64_t convert(ScalarType to, ScalarType from, std::uint64_t bits, const ConvertModifiers& modifiers);

/// The same in integer arithmetic alone, with no short cut.
std::uint64_t convert_exactly(ScalarType to, ScalarType from, std::uint64_t bits,
                              const ConvertModifiers& modifiers);

/// The packed forms: `high` and `low` converted and packed, `high` into the upper half (cvt.f16x2.f32 d,
/// high, low; also bf16x2, e4m3x2 and e5m2x2). `from` is the type of one operand.
std::uint32_t convert_pair(ScalarType to_pair, ScalarType from, std::uint64_t high, std::uint64_t low,
                           const ConvertModifiers& modifiers);

/// The forms with a packed operand: cvt.f16x2.e4m3x2, cvt.f16x2.e5m2x2, cvt.e4m3x2.f16x2, cvt.e5m2x2.f16x2.
std::uint32_t convert_packed(ScalarType to_pair, ScalarType from_pair, std::uint32_t packed,
                             const ConvertModifiers& modifiers);

}  // namespace kgen::emulator
