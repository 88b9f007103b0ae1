#pragma once

#include <string>

#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// The run role's own kernels compiled for the device.
Result<std::string> run_kernels_cubin(const core::DeviceFacts& facts, const CompileAll& compile_all);

}  // namespace kgen::judge
