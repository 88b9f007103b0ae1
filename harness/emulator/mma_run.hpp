#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/emulator/mma_layout.hpp"

namespace kgen::emulator {

/// Where in a dense row-major matrix each value of a fragment belongs: by register, then lane, then value.
using FragmentIndex = std::vector<std::uint16_t>;

/// A form made ready to run. `form` must be mma_supported.
struct MmaPlan {
  MmaForm form;
  FragmentIndex a, b, c, d;
};
MmaPlan plan_mma(const MmaForm& form);

/// Registers of a whole warp: a pointer to 32 lanes for each register of the fragment.
using Registers32 = std::span<const std::uint32_t* const>;
using Registers64 = std::span<const std::uint64_t* const>;

/// D = A * B + C for all 32 lanes; `d` may be the same registers as any operand. Accumulation model:
/// floating-point products are exact and summed with C in double, k ascending, then rounded once to D's type
/// (to nearest). The hardware's sums are narrower and in no documented order, so results are to be compared
/// relative to the sum of |a||b| + |c|, not in ulp. Of tf32 operands the lower 13 bits are ignored. Integer
/// sums are exact, then wrapped or clamped. A NaN result is the type's own.
void run_mma(const MmaPlan& plan, Registers32 a, Registers32 b, Registers32 c,
             std::span<std::uint32_t* const> d);

/// The same for f64: one fma an element of k, ascending, starting from C.
void run_mma_f64(const MmaPlan& plan, Registers64 a, Registers64 b, Registers64 c,
                 std::span<std::uint64_t* const> d);

/// movmatrix.sync.aligned.m8n8.trans.b16: an 8x8 matrix of 16 bits, one register a lane, transposed.
void transpose_matrix(const std::uint32_t* a, std::uint32_t* d);

}  // namespace kgen::emulator
