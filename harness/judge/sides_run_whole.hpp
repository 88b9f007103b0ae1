#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Shapes, by index, that are to meet every distribution though they are the judge's own or, on the emulator,
/// long: of each side of the plan's choices that no other shape takes the one of least work, before all
/// others one that is full, then one with the task's attributes: a large epsilon hides much. A path for long
/// rows alone may be wrong for values that few distributions have.
/// `shapes`: the task's own first. `work`: elements of each. Within a budget of elements times distributions,
/// the least work first.
std::set<std::size_t> sides_run_whole(const core::LaunchPlan& plan, const std::vector<ShapeCase>& shapes,
                                      const std::vector<std::int64_t>& work, core::DeviceKind device);

}  // namespace kgen::judge
