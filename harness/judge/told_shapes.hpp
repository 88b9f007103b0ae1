#pragma once

#include <vector>

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Each dim just beyond 2^16 beside dims of two elements (five where indices are below, and those first),
/// within `budget.told_cost` and `told_elements`: a row of one value has the softmax of any other, and a
/// table of one row no other index, so that a place taken for another does not show where all other dims are
/// one. Where that is too dear or outside `requires`, with the attributes of a check shape (of k places one),
/// and then beyond the next lower power of two, down to 2^11. They meet the first distribution (at other
/// attributes those of them too). No dim that is compiled in, and none of products where `long_products` says
/// so.
///
/// `known`: all shapes that there are, the task's own first; these come behind them, aside
/// (MadeShape::is_aside).
MadeShapes told_shapes(const core::LaunchPlan& plan, std::string_view source, const core::DeviceFacts& device,
                       const std::vector<ShapeCase>& known, const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
