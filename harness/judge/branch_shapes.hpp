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

/// Where a plan goes one way or the other: whether each step is active, whether each define that compares
/// something is other than 0, and which value a tunable has that a constraint ties to the task. Names are
/// "step 2", "BIG" and "STAGES = 4".
std::map<std::string, bool> branches_of(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved);
/// These, and of the plan's other conditions whether they hold: "condition split > 1".
std::map<std::string, bool> choices_of(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved);

/// Whether a choice (of choices_of) depends on a dim, an attribute or a tensor's extents; else it is the same
/// at all shapes.
bool is_decided_by_task(const core::LaunchPlan& plan, const std::string& choice, const core::Task& task);
/// The dims that a choice depends on, all where it depends on none, with their extents at a task.
core::Dims deciding_dims(const core::LaunchPlan& plan, const std::string& choice, const core::Task& task);
/// Whether these are others than at the task; where it depends on none, or all, whether the tasks differ at
/// all.
bool is_decided_elsewhere(const core::LaunchPlan& plan, const std::string& choice, const core::Task& task,
                          const core::Task& other);

/// Shapes, beside those known, at which the plan takes branches that it takes at none of them, or only where
/// what decides is as at the task, and the smallest shapes of programs whose known ones are all above a MiB
/// (for the sanitizers). For each branch a shape as small as it can be found and one a little larger in every
/// dim, where `requires` and the budget allow. The same for the same seed.
MadeShapes branch_shapes(const core::LaunchPlan& plan, std::string_view source,
                         const core::DeviceFacts& device, const std::vector<ShapeCase>& known,
                         const ResolveAt& resolve, const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
