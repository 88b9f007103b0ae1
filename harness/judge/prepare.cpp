#include <algorithm>
#include <iterator>

#include "harness/judge/branch_shapes.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/made_shapes.hpp"
#include "harness/judge/plan_branches.hpp"
#include "harness/judge/rest_shapes.hpp"
#include "harness/judge/session.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shared/random.hpp"
#include "harness/judge/told_shapes.hpp"
#include "harness/judge/variant_stages.hpp"

// The stages before anything is compiled: the plan, and the shapes it is checked at.
namespace kgen::judge {
namespace {

using core::Verdict;

/// With the variant that was asked for (or the defaults) where the plan's constraints allow it at the shape,
/// else the first that they allow.
core::PlanResult<core::ResolvedPlan> resolve_at(const Session& session, const core::Task& task,
                                                bool task_shape, const core::DeviceFacts& device) {
  const core::Variant wanted = session.wanted_variant();
  if (task_shape && !session.request.variant.empty())  // resolve_plan says what is wrong with it
    return core::resolve_plan(session.plan, task, device, wanted);
  return core::resolve_plan_near(session.plan, task, device, wanted);
}

core::PlanResult<ShapeCase> make_case(const Session& session, const core::Task& task, bool task_shape,
                                      bool screen) {
  ShapeCase out;
  out.task = task;
  out.task_shape = task_shape;
  out.screen = screen || task_shape;
  KGEN_TRY(out.resolved, resolve_at(session, task, task_shape, session.workplace.facts));
  auto tensors = core::tensors_of(task);
  if (!tensors)
    return tl::unexpected(core::PlanProblem{"task", core::describe(task), tensors.error().text()});
  out.tensors = std::move(*tensors);
  return out;
}

constexpr int kDistributionsAgain = 6;  ///< of a check shape, when it is made again with few multiprocessors
constexpr std::size_t kMostAgain = 12;  ///< of the judge's own shapes that are

/// The same shape as a plan has it that is told of another number of multiprocessors, where it serves it
/// then.
std::optional<ShapeCase> with_num_sms(const Session& session, const ShapeCase& shape, int num_sms) {
  core::DeviceFacts device = session.workplace.facts;
  device.num_sms = num_sms;
  const auto unmet = core::unmet_requirement(session.plan, shape.task, device);
  if (!unmet || *unmet) return std::nullopt;
  auto resolved = resolve_at(session, shape.task, false, device);
  if (!resolved) return std::nullopt;
  ShapeCase out = shape;
  out.resolved = std::move(*resolved);
  out.num_sms = num_sms;
  return out;
}

/// Gives every second shape, where the plan counts multiprocessors, few of them: a grid of as many blocks
/// goes on to further rounds at small extents too. A check shape stays as it is and is made once more, and so
/// are some at which the plan then chooses otherwise: they may be the only ones that show a choice.
void take_few_multiprocessors(Session& session) {
  const auto& request = session.request;
  if (request.source.find("num_sms") == std::string::npos) return;
  const PlanBranches branches(session.plan);
  std::vector<ShapeCase> again;
  std::size_t own_again = 0;
  for (std::size_t number = 1; number < session.shapes.size(); ++number) {
    ShapeCase& shape = session.shapes[number];
    const U64 draw = mix64(request.seed + 71 * number);
    if (draw % 2 == 0 || is_empty(shape.task)) continue;
    auto few = with_num_sms(session, shape, 2 + static_cast<int>(draw / 2 % 5));
    if (!few) continue;
    const bool is_listed = shape.made.empty();
    const bool chooses_alike = branches.choices_of(few->resolved) == branches.choices_of(shape.resolved);
    if (!is_listed && chooses_alike) {
      shape = std::move(*few);
    } else if (is_listed || ++own_again <= kMostAgain) {
      if (is_listed) few->distributions = kDistributionsAgain;
      few->made = "with few multiprocessors";
      again.push_back(std::move(*few));
    }
  }
  std::ranges::move(again, std::back_inserter(session.shapes));
}

/// Adds a shape to the session, or to those not covered. True: go on.
bool add_shape(Session& session, const core::Task& task, bool task_shape, bool screen) {
  auto& evaluation = session.evaluation;
  ++evaluation.shapes_total;
  const auto unmet = core::unmet_requirement(session.plan, task, session.workplace.facts);
  if (!unmet) return session.stop(unmet.error());
  if (*unmet) {
    evaluation.not_covered.push_back(shape_text(session, task) + ": requires " + **unmet);
    if (!task_shape && !session.request.require_all_shapes) return true;
    return session.stop(Verdict::not_covered, task_shape ? "task_shape" : "check_shape",
                        core::describe(task) + " is not covered: the plan requires " + **unmet);
  }
  auto shape = make_case(session, task, task_shape, screen);
  if (!shape) {
    core::PlanProblem problem = shape.error();
    if (!task_shape) problem.expected += " (at the check shape " + shape_text(session, task) + ")";
    return session.stop(problem);
  }
  ++evaluation.shapes_covered;
  session.shapes.push_back(std::move(*shape));
  return true;
}

/// Adds shapes of the judge's own. They count neither as covered nor as not. A plan that cannot be resolved
/// at one claims what it does not serve.
bool add_made(Session& session, const MadeShapes& made) {
  auto& left_out = session.made_left_out;
  left_out.insert(left_out.end(), made.left_out.begin(), made.left_out.end());
  for (const MadeShape& shape : made.shapes) {
    auto entry = make_case(session, shape.task, false, false);
    if (!entry && shape.lenient) {  // as with `large`
      session.made_not_served.push_back(shape_text(session, shape.task) + ": " + entry.error().text());
      continue;
    }
    if (!entry) {
      core::PlanProblem problem = entry.error();
      problem.expected +=
          " (at " + shape_text(session, shape.task) +
          ", a shape of the judge's own inside `requires`; narrow `requires` where the plan does "
          "not serve it)";
      return session.stop(problem);
    }
    entry->made = shape.why;
    entry->distributions = shape.distributions;
    entry->may_be_slow = shape.may_be_slow;
    entry->is_aside = shape.is_aside;
    session.shapes.push_back(std::move(*entry));
  }
  return true;
}

/// Shapes of the judge's own, inside what the plan says that it serves; last those for what of the plan no
/// other runs.
bool add_made_shapes(Session& session) {
  const auto& facts = session.workplace.facts;
  const auto& request = session.request;
  const ShapeBudget budget = shape_budget(facts.kind);
  if (!add_made(session,
                made_shapes(session.plan, request.source, request.task, facts, budget, request.seed)))
    return false;
  const ResolveAt resolve = [&](const core::Task& task) -> std::optional<core::ResolvedPlan> {
    auto at = make_case(session, task, false, false);
    return at ? std::optional(std::move(at->resolved)) : std::nullopt;
  };
  return add_made(session, branch_shapes(session.plan, request.source, facts, session.shapes, resolve, budget,
                                         request.seed));
}

/// Behind all others: those that stand for nothing of the plan.
bool add_shapes_aside(Session& session) {
  const auto& facts = session.workplace.facts;
  const auto& request = session.request;
  const ShapeBudget budget = shape_budget(facts.kind);
  for (const auto make : {told_shapes, rest_shapes}) {
    if (!add_made(session, make(session.plan, request.source, facts, session.shapes, budget, request.seed)))
      return false;
  }
  return true;
}

}  // namespace

Result<bool> read_plan(Session& session) {
  auto plan = core::parse_plan(session.request.source);
  if (!plan) return session.stop(plan.error());
  session.plan = std::move(*plan);
  return true;
}

Result<bool> choose_task_shape(Session& session) {
  if (!add_shape(session, session.request.task, true, true)) return false;
  session.evaluation.variant = session.shapes.front().resolved.variant;
  return true;
}

/// The task's own shape, the op's check shapes (the screen tier's only, in the screen tier) and, in a
/// promotion, shapes of the judge's own.
Result<bool> choose_shapes(Session& session) {
  const core::Task& task = session.request.task;
  KGEN_TRY(const bool covered, choose_task_shape(session));
  if (!covered) return false;
  for (const auto& check : task.op->check_shapes) {
    const bool wanted =
        session.request.tier == core::Tier::promotion || check.screen || session.request.require_all_shapes;
    if (!wanted) continue;
    const auto at = core::at_shape(task, check.dims, check.attributes);
    if (!at) {  // op.toml is read with the default attributes: it is the task's own that fit no such shape
      add_state_check(session, core::Check::State::skipped, "check_shape",
                      "not a shape with the task's attributes: " + at.error().message);
      continue;
    }
    if (at->dims == task.dims && at->attributes == task.attributes) continue;
    if (!add_shape(session, *at, false, check.screen)) return false;
  }
  if (session.request.tier == core::Tier::screen) return true;
  if (!add_made_shapes(session)) return false;
  if (session.is_emulated()) take_few_multiprocessors(session);
  return add_shapes_aside(session);
}

}  // namespace kgen::judge
