#pragma once

#include "core/plan_scope.hpp"

namespace kgen::core {

/// A launch's argument: a tensor, workspace, tensor map or float attribute by its name, else the value of an
/// expression. Where the plan spells the type out, the value must fit it.
PlanResult<ResolvedArgument> resolve_argument(const Argument& argument, const PlanScope& scope,
                                              const Task& task, const std::string& field);

}  // namespace kgen::core
