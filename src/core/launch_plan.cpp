#include "core/launch_plan.hpp"

#include <algorithm>
#include <map>

#include "core/plan_comment.hpp"
#include "core/plan_exprs.hpp"
#include "core/plan_fields.hpp"
#include "core/plan_names.hpp"
#include "core/plan_problem.hpp"
#include "core/plan_schema.hpp"
#include "util/closest_names.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxVariants = 4096;

PlanResult<void> read_tunables(const ordered_json& plan_json, LaunchPlan& plan) {
  std::size_t variants = 1;
  for (const auto& [name, list] : plan_json.items()) {
    const std::string field = member("tunables", name);
    std::vector<std::int64_t> values;
    for (const ordered_json& entry : list) {
      KGEN_TRY(const std::int64_t value, read_integer(entry, element(field, values.size())));
      if (std::find(values.begin(), values.end(), value) != values.end())
        return plan_problem(element(field, values.size()), entry.dump(), "each value once");
      values.push_back(value);
    }
    variants *= values.size();
    if (variants > kMaxVariants)
      return plan_problem(field, "more than 4096 variants in all",
                          "fewer values: at most 4096 combinations of tunables");
    plan.defaults[name] = values.front();
    plan.tunables.emplace_back(name, std::move(values));
  }
  return {};
}

std::string listed(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

PlanResult<void> read_defaults(const ordered_json& plan_json, LaunchPlan& plan) {
  for (const auto& [name, entry] : plan_json.items()) {
    const std::string field = member("defaults", name);
    KGEN_TRY(const std::int64_t value, read_integer(entry, field));
    const auto found = std::find_if(plan.tunables.begin(), plan.tunables.end(),
                                    [&, key = name](const auto& tunable) { return tunable.first == key; });
    if (found == plan.tunables.end()) {
      std::vector<std::string> names;
      for (const auto& tunable : plan.tunables) names.push_back(tunable.first);
      return plan_problem(field, name,
                          "the name of a tunable: " + util::closest_names(name, std::move(names)));
    }
    if (std::find(found->second.begin(), found->second.end(), value) == found->second.end())
      return plan_problem(field, entry.dump(), "one of the tunable's values: " + listed(found->second));
    plan.defaults[name] = value;
  }
  return {};
}

PlanResult<void> read_buffers(const ordered_json& plan_json, LaunchPlan& plan) {
  const ordered_json workspace = plan_json.value("workspace", ordered_json::object());
  for (const auto& [name, entry] : workspace.items()) {
    KGEN_TRY(util::Expr bytes, read_expr(entry.at("bytes"), member("workspace." + name, "bytes")));
    plan.workspace.push_back({name, std::move(bytes)});
  }
  const ordered_json tensor_maps = plan_json.value("tensor_maps", ordered_json::object());
  for (const auto& [name, entry] : tensor_maps.items()) {
    KGEN_TRY(TensorMapSpec map, read_tensor_map(entry, name, plan.tensor_maps));
    plan.tensor_maps.push_back(std::move(map));
  }
  return {};
}

CompileOptions read_compile(const ordered_json& plan_json) {
  CompileOptions options;
  options.fast_math = plan_json.value("fast_math", false);
  if (plan_json.contains("max_registers")) options.max_registers = plan_json.at("max_registers").get<int>();
  options.std = plan_json.value("std", options.std);
  return options;
}

std::vector<util::ExprCondition> conditions_of(const LaunchPlan& plan) {
  std::map<std::string, util::ExprCondition> found;
  const auto add = [&](const util::Expr& expr) {
    for (auto& condition : expr.conditions()) {
      auto& known = found.try_emplace(condition.expr.text(), condition).first->second;
      known.of_operands = known.of_operands && condition.of_operands;
    }
  };
  for (const auto& [name, expr] : plan.let) add(expr);
  (void)for_each_expr(plan, [&](std::string_view field, const util::Expr& expr) -> PlanResult<void> {
    if (!field.starts_with("constraints")) add(expr);
    return {};
  });
  std::vector<util::ExprCondition> out;
  for (auto& [text, condition] : found) out.push_back(std::move(condition));
  return out;
}

}  // namespace

PlanResult<LaunchPlan> parse_plan(std::string_view source) {
  KGEN_TRY(const PlanComment comment, find_plan_comment(source));
  KGEN_TRY(const ordered_json plan_json, parse_plan_json(comment));
  KGEN_CHECK(check_plan_shape(plan_json));
  LaunchPlan plan;
  KGEN_TRY(plan.requirements, read_expr_list(plan_json, "", "requires"));
  KGEN_CHECK(read_tunables(plan_json.value("tunables", ordered_json::object()), plan));
  KGEN_CHECK(read_defaults(plan_json.value("defaults", ordered_json::object()), plan));
  KGEN_TRY(plan.constraints, read_expr_list(plan_json, "", "constraints"));
  KGEN_TRY(plan.let, read_named_exprs(plan_json, "let"));
  KGEN_TRY(plan.defines, read_named_exprs(plan_json, "defines"));
  KGEN_CHECK(read_buffers(plan_json, plan));
  for (const ordered_json& step : plan_json.at("launches")) {
    KGEN_TRY(Step read, read_step(step, element("launches", plan.launches.size())));
    plan.launches.push_back(std::move(read));
  }
  plan.conditions = conditions_of(plan);
  plan.compile = read_compile(plan_json.value("compile", ordered_json::object()));
  plan.notes = plan_json.value("notes", "");
  KGEN_CHECK(check_plan_names(plan));
  return plan;
}

}  // namespace kgen::core
