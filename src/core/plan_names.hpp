#pragma once

#include "core/launch_plan.hpp"

namespace kgen::core {

/// "TMQ_BYTES" for tensor map tmQ: the macro with the bytes one box brings in.
std::string box_bytes_macro(std::string_view tensor_map);

/// The functions of one name that expressions know, and the built-in ones: no name of a plan may be one of
/// these.
bool is_function_name(std::string_view name);

/// Checks every name the plan introduces (tunables, defines, let, workspace, tensor maps) against the rules
/// for macros and identifiers and against each other. Names of the task are not known here: see PlanScope.
PlanResult<void> check_plan_names(const LaunchPlan& plan);

}  // namespace kgen::core
