#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// The plan as the judge would run it at a task; nothing where it cannot be resolved there.
using ResolveAt = std::function<std::optional<core::ResolvedPlan>(const core::Task&)>;

/// Shapes, beside those known, at which the plan takes branches that it takes at none of them, or only where
/// what decides is as at the task, and the smallest shapes of programs whose known ones are all above a MiB
/// (for the sanitizers). For each branch a shape as small as it can be found and one a little larger in every
/// dim, where `requires` and the budget allow. The same for the same seed.
MadeShapes branch_shapes(const core::LaunchPlan& plan, std::string_view source,
                         const core::DeviceFacts& device, const std::vector<ShapeCase>& known,
                         const ResolveAt& resolve, const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
