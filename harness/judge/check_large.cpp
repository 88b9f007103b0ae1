#include "harness/judge/check_cases.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/dear_shapes.hpp"
#include "harness/judge/large_shape.hpp"
#include "harness/judge/python_oracle.hpp"
#include "harness/judge/run_case.hpp"

// The stage that runs shapes with more than 2^31 elements.
namespace kgen::judge {
namespace {

using core::Check;

bool could_not_run(Session& session, const std::string& why, const char* check = "large") {
  add_state_check(session, Check::State::skipped, check, why);
  return true;
}

Result<bool> check_at(Session& session, std::size_t shape) {
  // Loaded anew: kernels are opted into the shared memory of the launches known when they are loaded.
  KGEN_TRY(const bool same, check_globals(session));
  if (!same) return false;
  session.bench.loaded = Bench::kNone;
  KGEN_TRY(const bool loaded, load_program(session, session.shapes[shape].program));
  if (!loaded) return false;
  const auto set = set_of(session, shape);
  if (!set) return could_not_run(session, set.error().message);
  const core::Op& op = *session.request.task.op;
  for (const std::size_t chosen : large_distributions(op, session.request.seed)) {
    const InputCase input =
        input_case(session.request.seed, session.shapes[shape].task, op.distributions[chosen], 0);
    if (const auto filled = fill_and_expect(session, shape, *set, input); !filled)
      return could_not_run(session, filled.error().message);
    KGEN_TRY(const bool went, check_execution(session, shape, *set, input));
    const bool too_long = !went && session.evaluation.verdict == core::Verdict::timeout;
    if (too_long && session.shapes[shape].may_be_slow) return give_up(session, shape);
    if (!went || any_failed(session)) return went;
  }
  return true;
}

/// The chosen shape, alone on the device.
Result<bool> check_alone(Session& session, ShapeCase large) {
  session.shapes.push_back(std::move(large));
  const std::size_t shape = session.shapes.size() - 1;
  KGEN_TRY(const bool ready, compile_late_shape(session, shape));
  if (!ready) return false;
  KGEN_TRY(const bool went, check_at(session, shape));
  if (!went) return false;
  if (session.bench.given_up.contains(shape)) return conclude(session);
  KGEN_TRY(const bool read, check_globals(session));
  if (!read) return false;
  KGEN_CHECK(drop_all_sets(session));
  return conclude(session);
}

/// Checks the choice; where there is none, or none as large as wanted, `check` or "larger" says why. A choice
/// of no dim is silent: the op has none of the kind.
Result<bool> check_choice(Session& session, LargeChoice choice, const char* check) {
  if (!choice.shape) {
    if (choice.for_workspace) add_flag(session, kWorkspaceFlag);
    return choice.dim.empty() || could_not_run(session, choice.dim + ": " + choice.why_none, check);
  }
  if (!choice.why_not_larger.empty())
    could_not_run(session, "more than 2^32 elements: " + choice.why_not_larger, "larger");
  return check_alone(session, std::move(*choice.shape));
}

/// Memory for a shape's own tensors, where reference.py takes its share on the device: as much more than they
/// as at the task's shape.
Result<I64> bytes_beside_oracle(const Session& session) {
  KGEN_TRY(const I64 available, session.workplace.device->free_bytes());
  const auto oracle =
      static_cast<double>(oracle_device_bytes(session.workplace.python_oracles, session.request.task));
  const auto own = static_cast<double>(bytes_with_expected(session.task_case()));
  return oracle == 0 ? available : static_cast<I64>(static_cast<double>(available) * own / (own + oracle));
}

}  // namespace

Result<bool> check_large(Session& session) {
  if (session.workplace.facts.kind != core::DeviceKind::cuda)
    return could_not_run(session, "more than 2^31 elements need a GPU's memory");
  KGEN_CHECK(drop_all_sets(session));
  KGEN_TRY(const I64 available, bytes_beside_oracle(session));
  const core::Task& task = session.request.task;
  const core::DeviceFacts& facts = session.workplace.facts;
  const auto choose = [&](const std::string& other_than, Stretch stretch) {
    return choose_large_shape(session.plan, task, facts, session.wanted_variant(), available, other_than,
                              stretch);
  };
  bool has_plane = false;
  auto first = choose("", Stretch::outputs);
  if (!first.shape) {
    could_not_run(session, first.why_none);
  } else {
    const std::string dim = first.dim;
    has_plane = has_large_plane(first);
    KGEN_TRY(const bool right, check_choice(session, std::move(first), "large"));
    if (!right) return false;
    auto second = choose(dim, Stretch::outputs);
    has_plane = has_plane || has_large_plane(second);
    KGEN_TRY(const bool second_right, check_choice(session, std::move(second), "large_other_dim"));
    if (!second_right) return false;
  }
  if (!has_plane) {
    auto plane = choose_large_plane(session.plan, task, facts, session.wanted_variant(), available);
    KGEN_TRY(const bool plane_right, check_choice(session, std::move(plane), "large_plane"));
    if (!plane_right) return false;
  }
  for (const LargeEntry& entry : large_entries(*task.op)) {
    auto choice = choose_large_entry(session.plan, task, facts, session.wanted_variant(), available, entry);
    KGEN_TRY(const bool entry_right, check_choice(session, std::move(choice), "large_entry"));
    if (!entry_right) return false;
  }
  return check_choice(session, choose("", Stretch::inputs_alone), "large_inputs");
}

}  // namespace kgen::judge
