#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/launch_plan.hpp"

/// Fields of a plan's JSON whose shape the schema has accepted, as values. Problems name the field.
namespace kgen::core {

PlanResult<std::int64_t> read_integer(const nlohmann::ordered_json& json, std::string_view field);
/// An integer or a string.
PlanResult<util::Expr> read_expr(const nlohmann::ordered_json& json, std::string_view field);
/// Member `key` of `object`; nothing where it is not there.
PlanResult<std::optional<util::Expr>> read_optional_expr(const nlohmann::ordered_json& object,
                                                         std::string_view field, const char* key);
/// A list; empty where it is not there.
PlanResult<std::vector<util::Expr>> read_expr_list(const nlohmann::ordered_json& object,
                                                   std::string_view field, const char* key);
/// Members as (name, expression) in their order.
PlanResult<std::vector<std::pair<std::string, util::Expr>>> read_named_exprs(
    const nlohmann::ordered_json& object, const char* key);

/// One entry of `tensor_maps`; `like` is looked up in `above`.
PlanResult<TensorMapSpec> read_tensor_map(const nlohmann::ordered_json& json, const std::string& name,
                                          const std::vector<TensorMapSpec>& above);

/// One entry of `launches`.
PlanResult<Step> read_step(const nlohmann::ordered_json& json, const std::string& field);

}  // namespace kgen::core
