#pragma once

#include <string>

#include "core/sweep.hpp"

namespace kgen::cli {

/// "12 of 24 variants tried (10 correct, 2 rejected), 4.1 s; goes on with BM=64: ...".
std::string sweep_summary(const core::SweepRecord& sweep);
/// Every variant that was tried, the fastest first, those that were rejected last.
std::string sweep_table(const core::SweepRecord& sweep);

}  // namespace kgen::cli
