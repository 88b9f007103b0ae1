#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "harness/judge/plan_branches.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

struct BranchesRunWhole {
  std::set<std::size_t> shapes;  ///< by index
  std::vector<Branch> left_out;  ///< all of their shapes are too large
};

/// Shapes that are to meet every distribution though they are the judge's own or, on the emulator, long: a
/// path for long rows alone may be wrong for values that few distributions have. For each branch of the plan
/// that no listed shape runs whole one: of those in which the fewest dims are 1 one with the task's
/// attributes (a large epsilon hides much), on a GPU one whose longest dim has not twice the length of
/// another's (long sums are granted much), of these that of the fewest elements. A listed shape that is thin
/// or has other attributes does not count where one of the judge's own is better. `shapes`: the task's own
/// first. `work`: of each (chosen_cases.cpp), by which the emulator chooses what it runs; not looked at on a
/// GPU.
BranchesRunWhole branches_run_whole(const core::LaunchPlan& plan, const std::vector<ShapeCase>& shapes,
                                    const std::vector<std::int64_t>& work, core::DeviceKind device);

}  // namespace kgen::judge
