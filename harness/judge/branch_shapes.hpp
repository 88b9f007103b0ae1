#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// The plan as the judge would run it at a task; nothing where it cannot be resolved there.
using ResolveAt = std::function<std::optional<core::ResolvedPlan>(const core::Task&)>;

/// Where a plan goes one way or the other: whether each step is active, and whether each define that compares
/// something is other than 0. Names are "step 2" and "BIG".
std::map<std::string, bool> branches_of(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved);

/// Shapes, beside those known, at which the plan takes branches that it takes at none of them, and the
/// smallest shapes of programs whose known ones are all above a MiB (for the sanitizers). For each branch a
/// shape as small as it can be found and one a little larger in every dim, where `requires` and the budget
/// allow. The same for the same seed.
MadeShapes branch_shapes(const core::LaunchPlan& plan, std::string_view source,
                         const core::DeviceFacts& device, const std::vector<ShapeCase>& known,
                         const ResolveAt& resolve, const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
