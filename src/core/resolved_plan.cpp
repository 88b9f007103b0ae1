#include "core/resolved_plan.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/argument_resolver.hpp"
#include "core/launch_limits.hpp"
#include "core/plan_names.hpp"
#include "core/plan_problem.hpp"
#include "core/tensor_map.hpp"
#include "util/closest_names.hpp"

namespace kgen::core {
namespace {

/// A step that is left out: the expression that is 0, where it stands, and what that means.
struct SkippedStep {
  std::string field, zero, why;
};

/// Fills `out` step by step in the order of the plan's fields.
class PlanResolver {
 public:
  PlanResolver(const LaunchPlan& plan, const Task& task, const DeviceFacts& device, const PlanScope& scope)
      : plan_(plan), task_(task), device_(device), scope_(scope) {}

  PlanResult<ResolvedPlan> resolve() {
    out_.variant = scope_.variant();
    KGEN_CHECK(resolve_macros());
    KGEN_CHECK(resolve_workspace());
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) KGEN_CHECK(resolve_step(i));
    KGEN_CHECK(check_first_step());
    KGEN_CHECK(resolve_tensor_maps());
    KGEN_CHECK(check_outputs_written());
    for (const util::ExprCondition& condition : plan_.conditions)
      out_.conditions.push_back(scope_.evaluate("conditions", condition.expr).value_or(0) != 0);
    return std::move(out_);
  }

 private:
  PlanResult<void> resolve_macros() {
    for (const auto& [name, values] : plan_.tunables)
      out_.macros.emplace_back(name, scope_.variant().at(name));
    for (const auto& [name, expr] : plan_.defines) {
      KGEN_TRY(const std::int64_t value, scope_.evaluate(member("defines", name), expr));
      out_.macros.emplace_back(name, value);
    }
    for (const TensorMapSpec& map : plan_.tensor_maps) {
      KGEN_TRY(const std::int64_t bytes, box_bytes_of(map, scope_));
      out_.macros.emplace_back(box_bytes_macro(map.name), bytes);
    }
    return {};
  }

  PlanResult<void> resolve_workspace() {
    const std::int64_t most = device_.memory_bytes > 0
                                  ? device_.memory_bytes
                                  : std::int64_t{1} << 40;  // no device, no need for more
    std::int64_t left = most;
    for (const WorkspaceSpec& buffer : plan_.workspace) {
      const std::string field = "workspace." + buffer.name + ".bytes";
      KGEN_TRY(const std::int64_t bytes, scope_.evaluate(field, buffer.bytes));
      if (bytes < 0 || bytes > left)
        return plan_problem(
            field, std::to_string(bytes),
            "0 to " + std::to_string(most) + " bytes for all workspaces together (the device's memory)");
      left -= bytes;
      out_.workspace.push_back({buffer.name, bytes});
    }
    return {};
  }

  PlanResult<void> resolve_step(std::size_t index) {
    const std::string field = element("launches", index);
    if (const auto* launch = std::get_if<KernelLaunch>(&plan_.launches[index]))
      return resolve_launch(*launch, index, field);
    return resolve_fill(std::get<FillStep>(plan_.launches[index]), index, field);
  }

  PlanResult<bool> is_active(const std::optional<util::Expr>& when, const std::string& field) const {
    if (!when) return true;
    KGEN_TRY(const std::int64_t value, scope_.evaluate(member(field, "when"), *when));
    return value != 0;
  }

  PlanResult<std::array<std::int64_t, 3>> coordinates(const std::vector<util::Expr>& exprs,
                                                      const std::string& field) const {
    std::array<std::int64_t, 3> values{1, 1, 1};
    for (std::size_t i = 0; i < exprs.size(); ++i) {
      KGEN_TRY(values[i], scope_.evaluate(element(field, i), exprs[i]));
    }
    return values;
  }

  PlanResult<void> resolve_launch(const KernelLaunch& launch, std::size_t index, const std::string& field) {
    KGEN_TRY(const bool active, is_active(launch.when, field));
    if (!active) return skip(launch, member(field, "when"), *launch.when, "`when` is 0");
    ResolvedLaunch resolved;
    resolved.step = index;
    resolved.kernel = launch.kernel;
    KGEN_TRY(resolved.grid, coordinates(launch.grid, member(field, "grid")));
    const bool negative =
        std::any_of(resolved.grid.begin(), resolved.grid.end(), [](std::int64_t n) { return n < 0; });
    const auto zero = std::find(resolved.grid.begin(), resolved.grid.end(), 0);
    if (zero != resolved.grid.end() && !negative) {
      const auto at = static_cast<std::size_t>(zero - resolved.grid.begin());
      const util::Expr& blocks = launch.grid[at];
      return skip(launch, element(member(field, "grid"), at), blocks,
                  "grid is 0, and max(" + blocks.text() + ", 1) would run it");
    }
    KGEN_TRY(resolved.block, coordinates(launch.block, member(field, "block")));
    if (!launch.cluster.empty()) {
      KGEN_TRY(resolved.cluster, coordinates(launch.cluster, member(field, "cluster")));
    }
    if (launch.dynamic_shared_bytes) {
      KGEN_TRY(resolved.dynamic_shared_bytes,
               scope_.evaluate(member(field, "dynamic_shared_bytes"), *launch.dynamic_shared_bytes));
    }
    resolved.cooperative = launch.cooperative;
    resolved.pdl = launch.pdl;
    KGEN_CHECK(check_launch_limits(resolved, device_, field, !launch.cluster.empty()));
    for (std::size_t i = 0; i < launch.args.size(); ++i) {
      const std::string where = element(member(field, "args"), i);
      KGEN_TRY(ResolvedArgument argument, resolve_argument(launch.args[i], scope_, task_, where));
      if (argument.kind == ResolvedArgument::Kind::tensor_map) {
        used_maps_.insert(argument.name);
        touched_.insert(scope_.find_tensor_map(argument.name)->tensor);
      }
      if (argument.kind == ResolvedArgument::Kind::buffer) touched_.insert(argument.name);
      resolved.args.push_back(std::move(argument));
    }
    out_.steps.emplace_back(std::move(resolved));
    return {};
  }

  /// Leaves a launch out, and keeps for each buffer it takes which expression skipped the first such launch.
  PlanResult<void> skip(const KernelLaunch& launch, const std::string& field, const util::Expr& zero,
                        const std::string& why) {
    for (const Argument& argument : launch.args) {
      const TensorMapSpec* map = scope_.find_tensor_map(argument.text);
      skipped_.try_emplace(map == nullptr ? argument.text : map->tensor,
                           SkippedStep{field, zero.text(), why});
    }
    return {};
  }

  PlanResult<void> resolve_fill(const FillStep& fill, std::size_t index, const std::string& field) {
    KGEN_CHECK(check_fill_target(fill.target, member(field, "fill")));
    KGEN_TRY(const bool active, is_active(fill.when, field));
    if (!active)
      skipped_.try_emplace(fill.target, SkippedStep{member(field, "when"), fill.when->text(), "`when` is 0"});
    if (!active || buffer_bytes(fill.target) == 0) return {};
    KGEN_TRY(const std::int64_t value, scope_.evaluate(member(field, "value"), fill.value));
    if (const TensorFacts* tensor = scope_.find_tensor(fill.target)) {
      KGEN_CHECK(check_fill_value(value, tensor->dtype, member(field, "value")));
    } else {
      KGEN_CHECK(check_word_fill(fill.target, value, field));
    }
    touched_.insert(fill.target);
    out_.steps.emplace_back(ResolvedFill{index, fill.target, value});
    return {};
  }

  PlanResult<void> check_fill_target(const std::string& target, const std::string& field) const {
    const TensorFacts* tensor = scope_.find_tensor(target);
    if (tensor != nullptr && tensor->role == Role::input)
      return plan_problem(field, target, "an output or a workspace: inputs are not to be written");
    if (tensor != nullptr || scope_.is_workspace(target)) return {};
    std::vector<std::string> names;
    for (const TensorFacts& facts : scope_.tensors())
      if (facts.role != Role::input) names.push_back(facts.name);
    for (const WorkspaceSpec& buffer : plan_.workspace) names.push_back(buffer.name);
    return plan_problem(field, target, "one of: " + util::closest_names(target, std::move(names)));
  }

  /// A workspace is filled by 32-bit words, signed or not.
  PlanResult<void> check_word_fill(const std::string& target, std::int64_t value,
                                   const std::string& field) const {
    if (buffer_bytes(target) % 4 != 0)
      return plan_problem(member(field, "fill"),
                          target + " of " + std::to_string(buffer_bytes(target)) + " bytes",
                          "a workspace whose bytes are a multiple of 4 (it is filled by 32-bit words)");
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::uint32_t>::max())
      return plan_problem(member(field, "value"), std::to_string(value),
                          "a 32-bit word: -2147483648 to 4294967295");
    return {};
  }

  std::int64_t buffer_bytes(const std::string& name) const {
    if (const TensorFacts* tensor = scope_.find_tensor(name)) return tensor->bytes;
    const auto found = std::find_if(out_.workspace.begin(), out_.workspace.end(),
                                    [&](const auto& w) { return w.name == name; });
    return found == out_.workspace.end() ? 0 : found->bytes;
  }

  /// Programmatic dependent launch overlaps with the step before: on the first one, with what is not the
  /// candidate's.
  PlanResult<void> check_first_step() const {
    if (out_.steps.empty()) return {};
    const auto* first = std::get_if<ResolvedLaunch>(&out_.steps.front());
    if (first == nullptr || !first->pdl) return {};
    return plan_problem(member(element("launches", first->step), "pdl"), "true",
                        "false on the first active step (it would overlap with what came before the plan)");
  }

  PlanResult<void> resolve_tensor_maps() {
    for (const TensorMapSpec& map : plan_.tensor_maps) {
      if (!used_maps_.contains(map.name)) continue;
      if (device_.compute_capability < 90)
        return plan_problem(member("tensor_maps", map.name), "a tensor map",
                            "none on this device (they need compute capability 9.0)");
      KGEN_TRY(ResolvedTensorMap resolved, resolve_tensor_map(map, scope_, buffer_bytes(map.tensor)));
      out_.tensor_maps.push_back(std::move(resolved));
    }
    return {};
  }

  /// A tensor in place is left as it is where the step that takes it is skipped (no rows to add to it).
  PlanResult<void> check_outputs_written() const {
    for (const TensorFacts& tensor : scope_.tensors()) {
      if (tensor.role == Role::input || tensor.elements == 0 || touched_.contains(tensor.name)) continue;
      const auto skipped = skipped_.find(tensor.name);
      if (skipped == skipped_.end())
        return plan_problem("launches", "no active step that is given the output " + tensor.name,
                            "a kernel that takes " + tensor.name +
                                " (or a tensor map of it) as an argument, or a fill of it");
      if (tensor.role == Role::inout) continue;
      const SkippedStep& step = skipped->second;
      return plan_problem(step.field, "0 (" + step.zero + ")",
                          "a step that writes the output " + tensor.name +
                              ", which has elements here; this one takes " + tensor.name +
                              " but is skipped, since its " + step.why);
    }
    return {};
  }

  const LaunchPlan& plan_;
  const Task& task_;
  const DeviceFacts& device_;
  const PlanScope& scope_;
  ResolvedPlan out_;
  std::set<std::string> used_maps_, touched_;
  std::map<std::string, SkippedStep> skipped_;  ///< by the name of a buffer that the step takes
};

}  // namespace

std::int64_t threads_of(const std::array<std::int64_t, 3>& grid, const std::array<std::int64_t, 3>& block) {
  std::int64_t threads = 1;
  for (const auto& extents : {grid, block}) {
    for (const std::int64_t extent : extents) {
      if (__builtin_mul_overflow(threads, extent, &threads)) return std::numeric_limits<std::int64_t>::max();
    }
  }
  return threads;
}

PlanResult<ResolvedPlan> resolve_plan(const LaunchPlan& plan, const Task& task, const DeviceFacts& device,
                                      const Variant& variant) {
  KGEN_TRY(PlanScope scope, PlanScope::make(plan, task, device));
  KGEN_CHECK(scope.choose(variant));
  KGEN_TRY(const auto failing, scope.first_false("constraints", plan.constraints));
  if (failing)
    return plan_problem(element("constraints", *failing), plan.constraints[*failing].text(),
                        "a condition that the chosen variant fulfils");
  return PlanResolver(plan, task, device, scope).resolve();
}

PlanResult<ResolvedPlan> resolve_plan_near(const LaunchPlan& plan, const Task& task,
                                           const DeviceFacts& device, const Variant& wanted) {
  KGEN_TRY(PlanScope scope, PlanScope::make(plan, task, device));
  KGEN_CHECK(choose_near(scope, plan, task, wanted));
  return PlanResolver(plan, task, device, scope).resolve();
}

}  // namespace kgen::core
