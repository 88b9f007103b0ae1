#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/launch_plan.hpp"

namespace kgen::core {

/// `text` fit for a message and for JSON: at most `limit` bytes, other than printable ASCII as '?'.
std::string shown(std::string_view text, std::size_t limit = 160);

/// A PlanProblem as an error value; every part is made fit to be shown.
tl::unexpected<PlanProblem> plan_problem(std::string_view field, std::string_view value,
                                         std::string_view expected);

/// "FIELD.key" or "FIELD" and an index: "launches[1]".
std::string member(std::string_view field, std::string_view key);
std::string element(std::string_view field, std::size_t index);

}  // namespace kgen::core
