#include "harness/judge/check_steps.hpp"

#include <map>
#include <set>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/plan_branches.hpp"
#include "harness/judge/shape_collection.hpp"
#include "util/text.hpp"

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

enum class Taken { never, as_at_the_task, elsewhere };
using Sides = std::map<Branch, Taken>;

/// Both sides of each choice of the plan, but for its steps, with where the shapes that were checked took
/// them.
Sides sides_taken(const Session& session) {
  const core::Task& task = session.task_case().task;
  const PlanBranches branches(session.plan);
  Sides out;
  for (const std::size_t index : session.bench.shapes_run) {
    const ShapeCase& shape = session.shapes[index];
    if (is_empty(shape.task) || shape.is_aside) continue;
    for (const auto& [name, side] : branches.choices_of(shape.resolved)) {
      if (name.starts_with("step ") || !branches.is_decided_by_task(name, task)) continue;
      out.try_emplace({name, !side}, Taken::never);
      Taken& taken = out.try_emplace({name, side}, Taken::never).first->second;
      const bool is_other = branches.is_decided_elsewhere(name, task, shape.task);
      taken = std::max(taken, is_other ? Taken::elsewhere : Taken::as_at_the_task);
    }
  }
  std::erase_if(out, [](const auto& one) { return is_of_a_tunable(one.first.first) && !one.first.second; });
  return out;
}

/// Names the sides that no shape took, and those that were taken only where what decides is as at the task:
/// what stands behind them may be wrong elsewhere. A value of a tunable is no flag: where the constraints
/// always allow the one that is judged, no shape has another. Nor is an operand of a min or a max: of two
/// sizes one may always be the larger.
void check_branches(Session& session) {
  std::vector<std::string> untaken;
  bool is_flagged = false;
  for (const auto& [side, taken] : sides_taken(session)) {
    if (taken == Taken::elsewhere) continue;
    untaken.push_back(branch_text(side) +
                      (taken == Taken::never ? "" : " (but where what decides is as at the task)"));
    is_flagged = is_flagged || !(is_of_a_tunable(side.first) || is_of_operands(side.first));
  }
  if (untaken.empty())
    return add_state_check(session, Check::State::passed, "branches",
                           "each side of the plan's choices was checked");
  add_state_check(
      session, Check::State::skipped, "branches",
      "met at no shape that was checked, so nothing is known of what they stand for: " + util::join(untaken));
  if (is_flagged) add_flag(session, "branch_never_taken");
}

/// Names attributes that the op never varies: of a kernel that takes one for its default nothing is known.
void check_attributes(Session& session) {
  std::vector<std::string> unvaried;
  const core::Op& op = *session.request.task.op;
  for (const core::Attribute& attribute : op.attributes)
    if (!op.is_varied(attribute)) unvaried.push_back(attribute.name);
  if (unvaried.empty()) return;
  add_state_check(
      session, Check::State::skipped, "attributes",
      "judged at one value alone, since op.toml gives no low and high and no check shape with another: " +
          util::join(unvaried));
  add_flag(session, "attribute_never_varied");
}

}  // namespace

Result<bool> check_steps(Session& session) {
  std::set<std::size_t> ran;
  bool others = false;
  for (const std::size_t index : session.bench.shapes_run) {
    const ShapeCase& shape = session.shapes[index];
    if (shape.is_aside) continue;
    for (const auto& step : shape.resolved.steps)
      ran.insert(std::visit([](const auto& one) { return one.step; }, step));
    others = others || (!shape.task_shape && !is_empty(shape.task));
  }
  std::vector<std::string> never;
  for (std::size_t i = 0; i < session.plan.launches.size(); ++i) {
    if (!ran.contains(i)) never.push_back(step_text(session.plan, i));
  }
  if (never.empty()) {
    add_state_check(session, Check::State::passed, "steps",
                    "each of the plan's " + std::to_string(session.plan.launches.size()) +
                        " steps ran at a shape that was checked");
  } else {
    add_state_check(session, Check::State::skipped, "steps",
                    "active at no shape that was checked, so nothing is known of it: " + util::join(never));
    add_flag(session, "step_never_run");
  }
  check_attributes(session);
  if (others) {
    check_branches(session);
  } else {
    add_flag(session, "only_task_shape");
  }
  return true;
}

}  // namespace kgen::judge
