#pragma once

#include <vector>

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Shapes whose first output has just more elements than whole packs that fill a block: T P + r with
/// 0 < r < P, T the threads of a block of the plan's launches, P a pack of 2, 4, 8, 16 or 32. A kernel that
/// leaves the rest to the thread behind the last pack has no such thread there, and no literal of its file is
/// near. All dims but one are as small as may be: the innermost that counts, and another that the seed draws.
///
/// `known`: all shapes that there are, the task's own first; these come behind them, aside
/// (MadeShape::is_aside).
MadeShapes rest_shapes(const core::LaunchPlan& plan, std::string_view source, const core::DeviceFacts& device,
                       const std::vector<ShapeCase>& known, const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
