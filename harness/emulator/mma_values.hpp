#pragma once

#include <cstdint>

#include "harness/emulator/scalar_type.hpp"

namespace kgen::emulator {

/// The values in one register of 32 lanes as doubles, lane after lane, the lowest bits of a lane first: 64 of
/// f16 and bf16, 128 of e4m3 and e5m2, 32 of tf32 (the lower 13 bits ignored) and f32. Exact.
void mma_values(ScalarType type, const std::uint32_t* lanes, double* values);

/// The reverse for D: 32 values as f32, or 64 as pairs of f16, each rounded to nearest even; NaN becomes the
/// type's own.
void mma_pack(ScalarType type, const double* values, std::uint32_t* lanes);

}  // namespace kgen::emulator
