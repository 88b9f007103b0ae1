#include <algorithm>

#include "core/plan_fields.hpp"
#include "core/plan_problem.hpp"
#include "util/closest_names.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

using nlohmann::ordered_json;

PlanResult<TensorMapSpec> start_from(const ordered_json& entry_json, const std::string& field,
                                     const std::vector<TensorMapSpec>& above) {
  if (!entry_json.contains("like")) return TensorMapSpec{};
  const std::string like = entry_json.at("like").get<std::string>();
  const auto found =
      std::find_if(above.begin(), above.end(), [&](const auto& map) { return map.name == like; });
  if (found != above.end()) return *found;
  std::vector<std::string> names;
  for (const TensorMapSpec& map : above) names.push_back(map.name);
  return plan_problem(member(field, "like"), like,
                      "a tensor map above this one: " + util::closest_names(like, std::move(names)));
}

PlanResult<void> replace_list(std::vector<util::Expr>& list, const ordered_json& entry_json,
                              const std::string& field, const char* key) {
  if (!entry_json.contains(key)) return {};
  KGEN_TRY(list, read_expr_list(entry_json, field, key));
  return {};
}

void replace_word(std::string& word, const ordered_json& entry_json, const char* key) {
  if (entry_json.contains(key)) word = entry_json.at(key).get<std::string>();
}

PlanResult<void> check_counts(const TensorMapSpec& map, const std::string& field) {
  const std::size_t rank = map.box_dim.size();
  const auto wrong = [&](const char* key, std::size_t got, std::size_t want) {
    return plan_problem(member(field, key), std::to_string(got) + " entries",
                        std::to_string(want) + " (box_dim has " + std::to_string(rank) + " dimensions)");
  };
  if (!map.global_dim.empty() && map.global_dim.size() != rank)
    return wrong("global_dim", map.global_dim.size(), rank);
  if (!map.global_strides.empty() && map.global_strides.size() + 1 != rank)
    return wrong("global_strides", map.global_strides.size(), rank - 1);
  if (!map.element_strides.empty() && map.element_strides.size() != rank)
    return wrong("element_strides", map.element_strides.size(), rank);
  return {};
}

}  // namespace

PlanResult<TensorMapSpec> read_tensor_map(const ordered_json& entry_json, const std::string& name,
                                          const std::vector<TensorMapSpec>& above) {
  const std::string field = member("tensor_maps", name);
  KGEN_TRY(TensorMapSpec map, start_from(entry_json, field, above));
  map.name = name;
  replace_word(map.tensor, entry_json, "tensor");
  replace_word(map.dtype, entry_json, "dtype");
  replace_word(map.swizzle, entry_json, "swizzle");
  replace_word(map.l2_promotion, entry_json, "l2_promotion");
  replace_word(map.interleave, entry_json, "interleave");
  replace_word(map.oob_fill, entry_json, "oob_fill");
  if (entry_json.contains("offset")) {
    KGEN_TRY(map.offset, read_optional_expr(entry_json, field, "offset"));
  }
  KGEN_CHECK(replace_list(map.global_dim, entry_json, field, "global_dim"));
  KGEN_CHECK(replace_list(map.global_strides, entry_json, field, "global_strides"));
  KGEN_CHECK(replace_list(map.box_dim, entry_json, field, "box_dim"));
  KGEN_CHECK(replace_list(map.element_strides, entry_json, field, "element_strides"));
  KGEN_CHECK(check_counts(map, field));
  return map;
}

}  // namespace kgen::core
