#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/launch_plan.hpp"

namespace kgen::core {

/// Checks `plan` against the JSON Schema of plan_schema(). The problem is the deepest one found, with the
/// schema's own description of the field as what was expected, and the nearest known fields for an unknown
/// one.
PlanResult<void> check_plan_shape(const nlohmann::ordered_json& plan);

}  // namespace kgen::core
