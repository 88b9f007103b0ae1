#include "harness/judge/oracle_cost.hpp"

#include <algorithm>

#include "core/gemm.hpp"
#include "core/resolved_plan.hpp"
#include "harness/judge/oracle.hpp"

namespace kgen::judge {
namespace {

/// Threads of the launch that has most.
std::int64_t threads_of(const core::ResolvedPlan& resolved) {
  std::int64_t most = 1;
  for (const auto& step : resolved.steps) {
    const auto* const launch = std::get_if<core::ResolvedLaunch>(&step);
    if (launch != nullptr) most = std::max(most, core::threads_of(launch->grid, launch->block));
  }
  return most;
}

/// The names that the plan gives to expressions; INT64_MAX where one is beyond 64 bits.
std::map<std::string, std::int64_t> let_of(const core::LaunchPlan& plan, const core::Task& task) {
  std::map<std::string, std::int64_t> known;
  const auto tensors = core::tensors_of(task);
  if (!tensors) return known;
  for (const auto& [name, expr] : plan.let)
    known[name] = expr.evaluate(core::scope_of(task, *tensors, known)).value_or(INT64_MAX);
  return known;
}

std::int64_t value_or(const std::map<std::string, std::int64_t>& known, const char* name,
                      std::int64_t otherwise) {
  const auto found = known.find(name);
  return found == known.end() ? otherwise : found->second;
}

}  // namespace

OracleCostModel::OracleCostModel(const core::Op& op) {
  if (op.reference_cu.empty()) return;
  if (auto plan = core::parse_plan(op.reference_cu)) plan_ = std::move(*plan);
}

std::optional<OracleCost> OracleCostModel::at(const core::Task& task, const core::DeviceFacts& device) const {
  const auto cost = core::cost_of(task);
  if (!cost) return std::nullopt;
  if (!plan_) return OracleCost{cost->flops, 0};
  const auto as_oracle = oracle_task(task);
  if (!as_oracle) return std::nullopt;
  const auto variant = core::variant_near(*plan_, *as_oracle, device, plan_->defaults);
  if (!variant) return std::nullopt;
  const auto resolved = core::resolve_plan(*plan_, *as_oracle, device, *variant);
  if (!resolved) return std::nullopt;
  const auto known = let_of(*plan_, task);
  const std::int64_t operations = value_or(known, "operations", cost->flops);
  const auto gemm = core::gemm_of(task);
  const bool by_library = gemm && gemm->has_value();
  return OracleCost{operations,
                    by_library ? 0 : value_or(known, "steps", operations / threads_of(*resolved))};
}

}  // namespace kgen::judge
