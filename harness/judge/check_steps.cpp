#include "harness/judge/check_steps.hpp"

#include <set>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/shape_collection.hpp"

namespace kgen::judge {
namespace {

using core::Check;

/// "launches[1] (gemm_split, when split)".
std::string step_text(const core::LaunchPlan& plan, std::size_t index) {
  const core::Step& step = plan.launches[index];
  const auto* const launch = std::get_if<core::KernelLaunch>(&step);
  const auto& when = launch ? launch->when : std::get<core::FillStep>(step).when;
  return "launches[" + std::to_string(index) + "] (" +
         (launch ? launch->kernel : "fill of " + std::get<core::FillStep>(step).target) +
         (when ? ", when " + when->text() : "") + ")";
}

}  // namespace

Result<bool> check_steps(Session& session) {
  std::set<std::size_t> ran;
  bool others = false;
  for (const std::size_t index : session.bench.shapes_run) {
    const ShapeCase& shape = session.shapes[index];
    for (const auto& step : shape.resolved.steps)
      ran.insert(std::visit([](const auto& one) { return one.step; }, step));
    others = others || (!shape.task_shape && !is_empty(shape.task));
  }
  std::string never;
  for (std::size_t i = 0; i < session.plan.launches.size(); ++i) {
    if (!ran.contains(i)) never += (never.empty() ? "" : ", ") + step_text(session.plan, i);
  }
  if (never.empty()) {
    add_state_check(session, Check::State::passed, "steps",
                    "each of the plan's " + std::to_string(session.plan.launches.size()) +
                        " steps ran at a shape that was checked");
  } else {
    add_state_check(session, Check::State::skipped, "steps",
                    "active at no shape that was checked, so nothing is known of it: " + never);
    add_flag(session, "step_never_run");
  }
  if (!others) add_flag(session, "only_task_shape");
  return true;
}

}  // namespace kgen::judge
