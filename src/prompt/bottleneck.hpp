#pragma once

#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "core/evaluation.hpp"

namespace kgen::prompt {

/// Names of the sections of refine.md that fit what was measured, the likeliest limit first; never empty.
std::vector<std::string> bottlenecks(const core::Evaluation& evaluation, const core::DeviceFacts& device);

}  // namespace kgen::prompt
