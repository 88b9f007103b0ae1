#pragma once

#include <string>

#include "core/profile.hpp"
#include "harness/emulator/instr_counts.hpp"
#include "harness/emulator/program.hpp"

namespace kgen::emulator {

/// Counts of a launch under Nsight Compute's names, in all and by source line. They are those of PTX: ptxas
/// makes other instructions of it, fewer or more, and joins or splits accesses seldom.
core::KernelProfile kernel_profile(const std::string& kernel, const Program& program,
                                   const CodeCounts& counts);

}  // namespace kgen::emulator
