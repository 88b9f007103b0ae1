#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "core/launch_plan.hpp"

namespace kgen::core {

/// The text between `/*kgen` and `*/` of a file's first comment, and where it lies.
struct PlanComment {
  std::string_view json;
  std::size_t first_line = 1;  ///< line of the file where `json` begins
};

/// Finds the plan's comment. Problems say what stands there instead, with its line.
PlanResult<PlanComment> find_plan_comment(std::string_view source);

/// Calls visit(position) for each opening quote, and for each other character outside strings and //
/// comments.
void for_each_token(std::string_view plan, const std::function<void(std::size_t position)>& visit);

/// The comment's JSON with its keys in order; // comments and trailing commas are tolerated, duplicate keys
/// are not. Problems name the line of the file.
PlanResult<nlohmann::ordered_json> parse_plan_json(const PlanComment& comment);

}  // namespace kgen::core
