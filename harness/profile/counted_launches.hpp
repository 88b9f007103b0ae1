#pragma once

#include <vector>

#include "harness/run/launch_sequence.hpp"

namespace kgen::profile {

/// Launches of one kernel that are counted, at most: each costs some 30 ms over all passes on an H200.
inline constexpr std::size_t kMostCounted = 16;

/// Of each step of a plan whether its counters are read: of a kernel that is launched more than kMostCounted
/// times that many launches, spread evenly from the first on; fills are not counted.
std::vector<bool> counted_launches(const run::LaunchSequence& sequence);

}  // namespace kgen::profile
