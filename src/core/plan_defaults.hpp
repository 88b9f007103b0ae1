#pragma once

#include <string>

#include "core/resolved_plan.hpp"

namespace kgen::core {

/// The candidate file with `variant` as its plan's `defaults`; every other byte stays. Problems: no plan, or
/// a variant that is none of the plan's.
PlanResult<std::string> with_defaults(const std::string& source, const Variant& variant);

}  // namespace kgen::core
