#pragma once

#include <string>

#include "core/sweep.hpp"

namespace kgen::cli {

/// "12 of 24 variants tried in 4.1 s, 2 rejected; goes on with BM=64: ...", fit for a terminal.
std::string sweep_summary(const core::SweepRecord& sweep);
/// Every variant that was tried, the fastest first, those that were rejected last.
std::string sweep_table(const core::SweepRecord& sweep);

}  // namespace kgen::cli
