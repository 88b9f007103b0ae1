#include "core/plan_fields.hpp"

#include <limits>

#include "core/plan_problem.hpp"
#include "util/json.hpp"

namespace kgen::core {

using nlohmann::ordered_json;
using util::Expr;

PlanResult<std::int64_t> read_integer(const ordered_json& json, std::string_view field) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > kMax)
    return plan_problem(field, json.dump(), "an integer that fits int64");
  return json.get<std::int64_t>();
}

PlanResult<Expr> read_expr(const ordered_json& json, std::string_view field) {
  if (json.is_number()) KGEN_CHECK(read_integer(json, field));
  const std::string text = json.is_number() ? json.dump() : json.get<std::string>();
  Result<Expr> parsed = Expr::parse(text);
  if (!parsed) return plan_problem(field, text, "an integer expression: " + parsed.error().text());
  return *std::move(parsed);
}

PlanResult<std::optional<Expr>> read_optional_expr(const ordered_json& object, std::string_view field,
                                                   const char* key) {
  if (!object.contains(key)) return std::nullopt;
  KGEN_TRY(Expr expr, read_expr(object.at(key), member(field, key)));
  return expr;
}

PlanResult<std::vector<Expr>> read_expr_list(const ordered_json& object, std::string_view field,
                                             const char* key) {
  std::vector<Expr> list;
  if (!object.contains(key)) return list;
  for (const ordered_json& entry : object.at(key)) {
    KGEN_TRY(Expr expr, read_expr(entry, element(member(field, key), list.size())));
    list.push_back(std::move(expr));
  }
  return list;
}

PlanResult<std::vector<std::pair<std::string, Expr>>> read_named_exprs(const ordered_json& object,
                                                                       const char* key) {
  std::vector<std::pair<std::string, Expr>> named;
  if (!object.contains(key)) return named;
  for (const auto& [name, value] : object.at(key).items()) {
    KGEN_TRY(Expr expr, read_expr(value, member(key, name)));
    named.emplace_back(name, std::move(expr));
  }
  return named;
}

}  // namespace kgen::core
