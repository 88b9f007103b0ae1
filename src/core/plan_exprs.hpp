#pragma once

#include <functional>

#include "core/launch_plan.hpp"

namespace kgen::core {

/// Calls `visit(field, expr)` for every expression of the plan but `requires` and `let`, arguments that are
/// expressions or names included; stops at the first problem.
PlanResult<void> for_each_expr(
    const LaunchPlan& plan,
    const std::function<PlanResult<void>(std::string_view, const util::Expr&)>& visit);

}  // namespace kgen::core
