#pragma once

#include <string>

#include "core/sweep.hpp"

namespace kgen::report {

/// The fastest variants of candidate `number` as a Markdown table with a bar for each time, and how many more
/// there are. Empty where nothing was tried.
std::string sweep_markdown(int number, const core::SweepRecord& sweep);

}  // namespace kgen::report
