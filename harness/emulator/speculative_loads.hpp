#pragma once

#include <set>

#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator {

/// Loads that NVRTC made in front of the condition that guards them in the source: of a floating-point number
/// at a fixed address of shared memory, whose value goes, by sums and products alone, to `selp`, which may
/// throw it away, and nowhere else. `if (warps > 1) sum += part[1];` becomes such a load.
std::set<const ptx::Instruction*> speculative_loads(const ptx::Function& function);

}  // namespace kgen::emulator
