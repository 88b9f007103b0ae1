#pragma once

#include "core/task.hpp"
#include "harness/judge/oracle_cost.hpp"

namespace kgen::judge {

/// How often a promotion draws each distribution at a listed shape: once, but several times where one dim is
/// long and the others leave few rows of it, until there are eight rows or more draws would take the
/// reference long. Rows take patterns in turn, or draw the place of what they are for: what one long row in
/// four shows, two need not.
int draws_of(const core::Task& task, const core::DeviceFacts& device, const OracleCostModel& oracle);

}  // namespace kgen::judge
