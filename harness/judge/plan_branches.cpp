#include "harness/judge/plan_branches.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

using Names = std::set<std::string>;

constexpr std::string_view kStep = "step ", kCondition = "condition ", kOperands = "operands ";

std::string step_name(std::size_t step) {
  return std::string(kStep) + std::to_string(step);
}
std::string condition_name(const util::ExprCondition& condition) {
  return std::string(condition.of_operands ? kOperands : kCondition) + condition.expr.text();
}
std::string value_name(const std::string& tunable, std::int64_t value) {
  return tunable + " = " + std::to_string(value);
}

bool compares(const util::Expr& expr) {
  return expr.text().find_first_of("<>=!&|?%") != std::string::npos;
}

/// The names that an expression mentions, those of `let` (of which `lets` says what they mention) replaced,
/// and the tensors whose extents it asks for.
Names all_names(const util::Expr& expr, const std::map<std::string, Names>& lets) {
  Names out;
  for (const std::string& name : expr.names()) {
    if (const auto let = lets.find(name); let != lets.end()) {
      out.insert(let->second.begin(), let->second.end());
    } else {
      out.insert(name);
    }
  }
  const bool asks_for_extents =
      expr.text().find("numel(") != std::string::npos || expr.text().find("bytes(") != std::string::npos;
  for (const std::string& tensor : expr.name_arguments())
    if (asks_for_extents) out.insert(tensor);
  return out;
}

/// A `let` mentions only those before it.
std::map<std::string, Names> names_of_lets(const core::LaunchPlan& plan) {
  std::map<std::string, Names> out;
  for (const auto& [name, expr] : plan.let) out[name] = all_names(expr, out);
  return out;
}

/// What constraints tie a tunable to, also through other tunables.
Names tied_names(const core::LaunchPlan& plan, const std::string& tunable,
                 const std::vector<Names>& constraints) {
  Names tied{tunable};
  for (std::size_t before = 0; before < tied.size();) {
    before = tied.size();
    for (const Names& names : constraints) {
      const bool meets = std::ranges::any_of(plan.tunables, [&](const auto& one) {
        return names.contains(one.first) && tied.contains(one.first);
      });
      if (meets) tied.insert(names.begin(), names.end());
    }
  }
  return tied;
}

/// Whether a name is the same at all shapes: of a tunable, of the device, of a dtype.
bool is_fixed(const core::LaunchPlan& plan, const std::string& name) {
  constexpr std::string_view kOfTheDevice[] = {"num_sms", "max_dynamic_shared", "l2_bytes", "cc"};
  return std::ranges::find(kOfTheDevice, name) != std::end(kOfTheDevice) || core::parse_dtype(name) ||
         std::ranges::any_of(plan.tunables, [&](const auto& one) { return one.first == name; });
}

}  // namespace

bool is_of_a_tunable(const std::string& choice) {
  return choice.find(" = ") != std::string::npos && !choice.starts_with(kCondition) &&
         !choice.starts_with(kOperands);
}

bool is_of_operands(const std::string& choice) {
  return choice.starts_with(kOperands);
}

std::string branch_text(const Branch& branch) {
  const auto& [choice, side] = branch;
  for (const std::string_view kind : {kCondition, kOperands})
    if (choice.starts_with(kind))
      return "`" + choice.substr(kind.size()) + (side ? "` holds" : "` does not hold");
  if (choice.starts_with(kStep)) return choice + (side ? " runs" : " does not run");
  if (is_of_a_tunable(choice)) return side ? choice : "not " + choice;
  return choice + (side ? " is not 0" : " is 0");
}

PlanBranches::PlanBranches(const core::LaunchPlan& plan) : plan_(plan) {
  const auto lets = names_of_lets(plan);
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const auto& when =
        std::visit([](const auto& step) -> const auto& { return step.when; }, plan.launches[i]);
    names_[step_name(i)] = when ? all_names(*when, lets) : Names{};
  }
  for (const auto& [name, expr] : plan.defines)
    if (compares(expr)) names_[name] = all_names(expr, lets);
  for (const util::ExprCondition& condition : plan.conditions)
    names_[condition_name(condition)] = all_names(condition.expr, lets);
  std::vector<Names> constraints;
  for (const util::Expr& constraint : plan.constraints) constraints.push_back(all_names(constraint, lets));
  for (const auto& [name, values] : plan.tunables) {
    const Names tied = tied_names(plan, name, constraints);
    if (std::ranges::all_of(tied, [&](const auto& one) { return is_fixed(plan, one); })) continue;
    tied_tunables_.insert(name);
    for (const std::int64_t value : values) names_[value_name(name, value)] = tied;
  }
}

std::map<std::string, bool> PlanBranches::branches_of(const core::ResolvedPlan& resolved) const {
  std::map<std::string, bool> out;
  for (std::size_t i = 0; i < plan_.launches.size(); ++i) out[step_name(i)] = false;
  for (const auto& step : resolved.steps)
    out[step_name(std::visit([](const auto& one) { return one.step; }, step))] = true;
  for (const auto& [name, value] : resolved.macros)
    if (names_.contains(name)) out[name] = value != 0;
  for (const auto& [name, values] : plan_.tunables) {
    const auto chosen = resolved.variant.find(name);
    if (chosen == resolved.variant.end() || !tied_tunables_.contains(name)) continue;
    for (const std::int64_t value : values) out[value_name(name, value)] = chosen->second == value;
  }
  return out;
}

std::map<std::string, bool> PlanBranches::choices_of(const core::ResolvedPlan& resolved) const {
  auto out = branches_of(resolved);
  for (std::size_t i = 0; i < resolved.conditions.size(); ++i)
    out[condition_name(plan_.conditions[i])] = resolved.conditions[i];
  return out;
}

bool PlanBranches::depends_on(const std::string& choice, const std::string& name) const {
  return names_.at(choice).contains(name);
}

bool PlanBranches::is_decided_by_task(const std::string& choice, const core::Task& task) const {
  const auto is_named = [&](const auto& one) { return depends_on(choice, one.first); };
  return std::ranges::any_of(task.dims, is_named) || std::ranges::any_of(task.attributes, is_named) ||
         std::ranges::any_of(task.op->tensors, [&](const auto& one) { return depends_on(choice, one.name); });
}

core::Dims PlanBranches::deciding_dims(const std::string& choice, const core::Task& task) const {
  core::Dims out;
  for (const auto& [name, extent] : task.dims)
    if (depends_on(choice, name)) out[name] = extent;
  return out.empty() ? task.dims : out;
}

bool PlanBranches::is_decided_elsewhere(const std::string& choice, const core::Task& task,
                                        const core::Task& other) const {
  const core::Dims own = deciding_dims(choice, task), others = deciding_dims(choice, other);
  return own != others || (own == task.dims && task.attributes != other.attributes);
}

}  // namespace kgen::judge
