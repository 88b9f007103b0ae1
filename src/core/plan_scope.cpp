#include "core/plan_scope.hpp"

#include <algorithm>

#include "core/plan_exprs.hpp"
#include "core/plan_names.hpp"
#include "core/plan_problem.hpp"
#include "util/closest_names.hpp"

namespace kgen::core {

PlanResult<PlanScope> PlanScope::make(const LaunchPlan& plan, const Task& task, const DeviceFacts& device) {
  PlanScope scope;
  scope.plan_ = &plan;
  scope.task_ = &task;
  KGEN_CHECK(scope.load_task(device));
  KGEN_CHECK(scope.check_new_names());
  KGEN_CHECK(scope.check_known_names());
  return scope;
}

PlanResult<void> PlanScope::load_task(const DeviceFacts& device) {
  Result<std::vector<TensorFacts>> tensors = tensors_of(*task_);
  if (!tensors)
    return plan_problem("task", describe(*task_),
                        "a task with computable tensors: " + tensors.error().text());
  tensors_ = *std::move(tensors);
  of_task_ = scope_of(*task_, tensors_,
                      {{"num_sms", device.num_sms},
                       {"max_dynamic_shared", device.max_dynamic_shared},
                       {"l2_bytes", device.l2_bytes},
                       {"cc", device.compute_capability}});
  all_ = of_task_;
  all_.value = [chosen = chosen_,
                of_task = of_task_.value](std::string_view name) -> std::optional<std::int64_t> {
    if (const auto found = chosen->find(name); found != chosen->end()) return found->second;
    return of_task(name);
  };
  all_.names = [chosen = chosen_, of_task = of_task_.names] {
    std::vector<std::string> names = of_task();
    for (const auto& [name, value] : *chosen) names.push_back(name);
    return names;
  };
  return {};
}

/// No name of the plan may be one of the task. A define may carry a dim's name only to pass that dim on.
PlanResult<void> PlanScope::check_new_names() const {
  const auto check = [&](std::string_view section, const std::string& name) -> PlanResult<void> {
    if (!of_task_.value(name) && find_tensor(name) == nullptr && !is_float_attribute(name)) return {};
    return plan_problem(member(section, name), name, "a name that the task does not use already");
  };
  for (const auto& [name, values] : plan_->tunables) KGEN_CHECK(check("tunables", name));
  for (const auto& [name, expr] : plan_->let) KGEN_CHECK(check("let", name));
  for (const auto& [name, expr] : plan_->defines)
    if (expr.text() != name) KGEN_CHECK(check("defines", name));
  for (const WorkspaceSpec& buffer : plan_->workspace) KGEN_CHECK(check("workspace", buffer.name));
  for (const TensorMapSpec& map : plan_->tensor_maps) {
    KGEN_CHECK(check("tensor_maps", map.name));
    KGEN_CHECK(check("tensor_maps." + map.name, box_bytes_macro(map.name)));
  }
  return {};
}

PlanResult<void> PlanScope::check_known_names() const {
  Values known;
  for (std::size_t i = 0; i < plan_->requirements.size(); ++i)
    KGEN_CHECK(check_expr(element("requires", i), plan_->requirements[i], known));
  for (const auto& [name, values] : plan_->tunables) known.emplace(name, 0);
  for (const auto& [name, expr] : plan_->let) {
    KGEN_CHECK(check_expr(member("let", name), expr, known));
    known.emplace(name, 0);
  }
  return for_each_expr(*plan_, [&](std::string_view field, const util::Expr& expr) -> PlanResult<void> {
    const bool is_object = find_tensor(expr.text()) != nullptr || find_tensor_map(expr.text()) != nullptr ||
                           is_workspace(expr.text()) || is_float_attribute(expr.text());
    if (is_object && field.find(".args[") != field.npos) return {};
    return check_expr(field, expr, known);
  });
}

PlanResult<void> PlanScope::check_expr(std::string_view field, const util::Expr& expr,
                                       const Values& known) const {
  for (const std::string& name : expr.names()) {
    if (known.contains(name) || of_task_.value(name)) continue;
    if (const std::string object = what_is(name, field); !object.empty())
      return plan_problem(field, expr.text(), object);
    std::vector<std::string> names = of_task_.names();
    for (const auto& [known_name, value] : known) names.push_back(known_name);
    if (field.find(".args[") != field.npos) {
      for (const TensorFacts& tensor : tensors_) names.push_back(tensor.name);
      for (const WorkspaceSpec& buffer : plan_->workspace) names.push_back(buffer.name);
      for (const TensorMapSpec& map : plan_->tensor_maps) names.push_back(map.name);
    }
    return plan_problem(
        field, expr.text(),
        "names that exist, not '" + name + "': " + util::closest_names(name, std::move(names)));
  }
  return {};
}

/// Advice where `name` is something that expressions cannot speak of, or not here; empty where it is nothing
/// at all.
std::string PlanScope::what_is(std::string_view name, std::string_view field) const {
  const std::string quoted = "'" + std::string(name) + "' is ";
  const auto named = [&](const auto& entry) { return entry.first == name; };
  if (find_tensor(name) != nullptr)
    return "a number (" + quoted + "a tensor; numel, bytes, sizeof and dtype of it are numbers)";
  if (is_workspace(name)) return "a number (" + quoted + "a workspace)";
  if (find_tensor_map(name) != nullptr) return "a number (" + quoted + "a tensor map)";
  if (is_float_attribute(name))
    return "an integer (" + quoted + "a float attribute; pass it as an argument by its name)";
  const bool tunable = std::any_of(plan_->tunables.begin(), plan_->tunables.end(), named);
  const bool let = std::any_of(plan_->let.begin(), plan_->let.end(), named);
  if (field.starts_with("requires") && (tunable || let))
    return "dims, attributes, dtypes and the device only (" + quoted +
           (tunable ? "a tunable" : "a let name") + "; conditions on those stand under constraints)";
  if (let) return "names above this one (" + quoted + "a let name further down)";
  if (std::any_of(plan_->defines.begin(), plan_->defines.end(), named))
    return "names of expressions (" + quoted + "a define, for the source only; name it under let instead)";
  return "";
}

PlanResult<void> PlanScope::choose(const Variant& variant) {
  for (const auto& [name, value] : variant) {
    const auto found = std::find_if(plan_->tunables.begin(), plan_->tunables.end(),
                                    [&, key = name](const auto& tunable) { return tunable.first == key; });
    if (found == plan_->tunables.end())
      return plan_problem(member("variant", name), name, "the name of a tunable");
    if (std::find(found->second.begin(), found->second.end(), value) == found->second.end())
      return plan_problem(member("variant", name), std::to_string(value), "one of the tunable's values");
  }
  variant_ = variant;
  variant_.insert(plan_->defaults.begin(), plan_->defaults.end());
  chosen_->clear();
  chosen_->insert(variant_.begin(), variant_.end());
  for (const auto& [name, expr] : plan_->let) {
    KGEN_TRY(const std::int64_t value, evaluate(member("let", name), expr));
    chosen_->insert_or_assign(name, value);
  }
  return {};
}

PlanResult<std::int64_t> PlanScope::evaluate(std::string_view field, const util::Expr& expr) const {
  const Result<std::int64_t> value = expr.evaluate(all_);
  if (!value) return plan_problem(field, expr.text(), "an expression with a value: " + value.error().text());
  return *value;
}

PlanResult<std::optional<std::size_t>> PlanScope::first_false(
    std::string_view field, const std::vector<util::Expr>& conditions) const {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    KGEN_TRY(const std::int64_t value, evaluate(element(field, i), conditions[i]));
    if (value == 0) return i;
  }
  return std::nullopt;
}

const TensorFacts* PlanScope::find_tensor(std::string_view name) const {
  const auto found =
      std::find_if(tensors_.begin(), tensors_.end(), [&](const auto& t) { return t.name == name; });
  return found == tensors_.end() ? nullptr : &*found;
}

const TensorMapSpec* PlanScope::find_tensor_map(std::string_view name) const {
  const auto& maps = plan_->tensor_maps;
  const auto found =
      std::find_if(maps.begin(), maps.end(), [&](const auto& map) { return map.name == name; });
  return found == maps.end() ? nullptr : &*found;
}

bool PlanScope::is_workspace(std::string_view name) const {
  return std::any_of(plan_->workspace.begin(), plan_->workspace.end(),
                     [&](const auto& w) { return w.name == name; });
}

bool PlanScope::is_float_attribute(std::string_view name) const {
  const auto& attributes = task_->op->attributes;
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const Attribute& a) { return a.name == name && a.type == "float"; });
}

}  // namespace kgen::core
