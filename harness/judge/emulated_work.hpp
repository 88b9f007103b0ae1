#pragma once

#include <cstdint>

#include "harness/judge/made_shapes.hpp"

namespace kgen::judge {

/// Elements that the emulator computes at a task, about: those of its tensors, or its flops by the number
/// that take as long as an element, whichever are more.
std::int64_t emulated_elements(const core::Task& task);

/// The same of a shape that the judge made, over the distributions that it meets (check_cases.hpp); 0 where
/// it is not run at all.
std::int64_t emulated_elements(const MadeShape& shape);

}  // namespace kgen::judge
