#include <algorithm>
#include <limits>

#include "core/plan_problem.hpp"
#include "core/plan_scope.hpp"

namespace kgen::core {
namespace {

/// The next combination, last tunable fastest; false behind the last one.
bool advance(const LaunchPlan& plan, Variant& variant) {
  for (auto tunable = plan.tunables.rbegin(); tunable != plan.tunables.rend(); ++tunable) {
    const auto& [name, values] = *tunable;
    std::int64_t& value = variant.at(name);
    const auto next = std::find(values.begin(), values.end(), value) + 1;
    value = next == values.end() ? values.front() : *next;
    if (next != values.end()) return true;
  }
  return false;
}

/// The first `most` variants in the order of the lists that the constraints allow; the defaults, where they
/// are among them, in front.
PlanResult<std::vector<Variant>> variants_that_fit(PlanScope& scope, const LaunchPlan& plan, const Task& task,
                                                   std::size_t most) {
  Variant variant;
  for (const auto& [name, values] : plan.tunables) variant[name] = values.front();
  std::vector<Variant> feasible;
  std::size_t tried = 0;
  std::optional<std::size_t> why_defaults_fail;
  do {
    KGEN_CHECK(scope.choose(variant));
    KGEN_TRY(const auto failing, scope.first_false("constraints", plan.constraints));
    if (variant == plan.defaults) why_defaults_fail = failing;
    if (!failing) feasible.push_back(variant);
    ++tried;
  } while (feasible.size() < most && advance(plan, variant));
  const std::size_t culprit = why_defaults_fail.value_or(0);
  if (feasible.empty())
    return plan_problem(
        element("constraints", culprit), plan.constraints[culprit].text(),
        "a condition that some variant fulfils: it is false for the defaults, and each of the " +
            std::to_string(tried) + " variants breaks some constraint for " + describe(task));
  const auto defaults = std::find(feasible.begin(), feasible.end(), plan.defaults);
  if (defaults != feasible.end()) std::rotate(feasible.begin(), defaults, defaults + 1);
  return feasible;
}

}  // namespace

PlanResult<std::optional<std::string>> unmet_requirement(const LaunchPlan& plan, const Task& task,
                                                         const DeviceFacts& device) {
  KGEN_TRY(const PlanScope scope, PlanScope::make(plan, task, device));
  KGEN_TRY(const auto failing, scope.first_false("requires", plan.requirements));
  if (!failing) return std::nullopt;
  return plan.requirements[*failing].text();
}

PlanResult<Variant> choose_near(PlanScope& scope, const LaunchPlan& plan, const Task& task,
                                const Variant& wanted) {
  for (const Variant* one : {&wanted, &plan.defaults}) {
    KGEN_CHECK(scope.choose(*one));
    KGEN_TRY(const auto failing, scope.first_false("constraints", plan.constraints));
    if (!failing) return *one;
  }
  KGEN_TRY(const auto feasible, variants_that_fit(scope, plan, task, 1));
  KGEN_CHECK(scope.choose(feasible.front()));
  return feasible.front();
}

PlanResult<Variant> variant_near(const LaunchPlan& plan, const Task& task, const DeviceFacts& device,
                                 const Variant& wanted) {
  KGEN_TRY(PlanScope scope, PlanScope::make(plan, task, device));
  return choose_near(scope, plan, task, wanted);
}

PlanResult<std::vector<Variant>> feasible_variants(const LaunchPlan& plan, const Task& task,
                                                   const DeviceFacts& device) {
  KGEN_TRY(PlanScope scope, PlanScope::make(plan, task, device));
  return variants_that_fit(scope, plan, task, std::numeric_limits<std::size_t>::max());
}

}  // namespace kgen::core
