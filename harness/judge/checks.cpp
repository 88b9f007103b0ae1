#include "harness/judge/checks.hpp"

#include <algorithm>

#include "harness/judge/baselines.hpp"
#include "harness/judge/check_cases.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/chosen_cases.hpp"
#include "harness/judge/dear_shapes.hpp"
#include "harness/judge/emulated_resources.hpp"
#include "harness/judge/large_shape.hpp"
#include "harness/judge/run_case.hpp"

namespace kgen::judge {
namespace {

using core::Check;
using core::Verdict;
using run::RunFailure;

struct FailureRow {
  RunFailure::Kind kind;
  Verdict verdict;
};
constexpr FailureRow kFailures[] = {
    {RunFailure::Kind::fault, Verdict::fault},
    {RunFailure::Kind::died, Verdict::fault},
    {RunFailure::Kind::timeout, Verdict::timeout},
    {RunFailure::Kind::launch_error, Verdict::launch_error},
    {RunFailure::Kind::unsupported_arch, Verdict::unsupported_arch},
    {RunFailure::Kind::out_of_bounds, Verdict::out_of_bounds},
    {RunFailure::Kind::race, Verdict::race},
    {RunFailure::Kind::bad_sync, Verdict::bad_sync},
    {RunFailure::Kind::uninitialised_read, Verdict::uninitialised_read},
    {RunFailure::Kind::not_emulated, Verdict::not_emulated},
};

/// Which failed check names the verdict where several failed: the most telling first.
struct VerdictRow {
  const char* check;
  Verdict verdict;
};
constexpr VerdictRow kVerdicts[] = {
    {"guards", Verdict::out_of_bounds},      {"inputs", Verdict::input_modified},
    {"hidden_state", Verdict::hidden_state}, {"values", Verdict::wrong_result},
    {"task_shape", Verdict::wrong_result},   {"made_shape", Verdict::wrong_result},
    {"large", Verdict::wrong_result},        {"deterministic", Verdict::nondeterministic},
};

std::map<std::string, run::CompiledKernel> compiled_kernels(const Program& program) {
  std::map<std::string, run::CompiledKernel> out;
  for (const auto& kernel : program.result.kernels)
    out[kernel.expression] = {kernel.lowered_name, kernel.parameters};
  return out;
}

void take_facts(Session& session, const std::vector<core::KernelFacts>& facts) {
  for (auto& known : session.evaluation.compile.kernels) {
    for (const auto& fact : facts) {
      if (fact.name != known.name || known.blocks_per_sm >= 0)
        continue;  // a later load may serve larger launches
      known.blocks_per_sm = fact.blocks_per_sm;
      known.occupancy = fact.occupancy;
      known.occupancy_limit = fact.occupancy_limit;
      if (known.registers < 0) known.registers = fact.registers;
    }
  }
}

Result<bool> run_one(Session& session, const CheckCase& check) {
  const ShapeCase& shape = session.shapes[check.shape];
  if (session.bench.given_up.contains(check.shape)) return true;
  if (!session.bench.sets.contains(check.shape)) {
    KGEN_TRY(const bool fits, makes_room(session, shape));
    if (!fits) return session.evaluation.verdict == core::Verdict::not_run;  // else it is the plan's fault
  }
  const auto& distribution = session.request.task.op->distributions[check.distribution];
  const InputCase input = input_case(session.request.seed, shape.task, distribution, check.draw);
  KGEN_TRY(const bool loaded, load_program(session, shape.program));
  if (!loaded) return false;
  KGEN_TRY(const int set, set_of(session, check.shape));
  KGEN_CHECK(fill_and_expect(session, check.shape, set, input));
  KGEN_TRY(const bool went, check_execution(session, check.shape, set, input));
  const bool too_long = !went && session.evaluation.verdict == Verdict::timeout;
  return too_long && shape.may_be_slow ? give_up(session, check.shape) : went;
}

/// Says how many cases were left when enough had failed.
void say_not_run(Session& session, std::ptrdiff_t left, std::size_t all) {
  add_state_check(session, Check::State::skipped, "not_reached",
                  "enough had failed: " + std::to_string(left) + " of " + std::to_string(all) +
                      " pairs of shape and distribution were not run");
}

}  // namespace

Result<bool> check_globals(Session& session) {
  if (session.bench.loaded == Bench::kNone) return true;  // a process anew, of which nothing was asked yet
  const auto now = session.bench.runner->globals();
  if (!now) return stop_at_failure(session, now.error(), "reading the module's globals");
  if (has_failed(session, "hidden_state")) return true;
  const auto changed = run::changed_globals(session.bench.globals, *now);
  if (changed.empty()) return true;
  std::string names;
  for (const auto& name : changed) names += (names.empty() ? "" : ", ") + name;
  add_state_check(
      session, Check::State::failed, "hidden_state",
      "device globals differ after the launches: " + names + "; a kernel may keep nothing between launches");
  return true;
}

Result<bool> load_program(Session& session, std::size_t program) {
  Bench& bench = session.bench;
  if (bench.loaded == program) return true;
  if (bench.loaded != Bench::kNone) {
    KGEN_TRY(const bool same, check_globals(session));
    if (!same) return false;
  }
  const auto facts = bench.runner->load(session.programs[program].code(), kernels_of(session, program),
                                        run::Milliseconds{20000});
  if (!facts) return stop_at_failure(session, facts.error(), "loading");
  if (program == session.task_case().program) take_facts(session, *facts);
  auto globals = bench.runner->globals();
  if (!globals) return stop_at_failure(session, globals.error(), "reading the module's globals");
  bench.globals = std::move(*globals);
  for (const auto& variable : bench.globals) {
    if (!variable.why.empty()) bench.unseen_globals.insert(variable.name + " (" + variable.why + ")");
  }
  bench.globals_seen_after_launch = false;
  bench.loaded = program;
  return true;
}

bool conclude(Session& session) {
  for (const auto& row : kVerdicts) {
    for (const Check& check : session.evaluation.checks) {
      if (check.name != row.check || check.state != Check::State::failed) continue;
      const std::string where = check.distribution.empty() ? "" : " (" + check.distribution + ")";
      const std::string shape = shape_text(session, check.dims, check.attributes);
      return session.stop(row.verdict, "", (shape.empty() ? "" : shape + where + ": ") + check.detail);
    }
  }
  return true;
}

Result<bool> stop_at_failure(Session& session, const RunFailure& failure, const std::string& where) {
  for (const auto& row : kFailures) {
    if (row.kind != failure.kind) continue;
    const std::string kind = failure.kind == RunFailure::Kind::died ? "process_died" : failure.fine;
    return session.stop(row.verdict, kind, where + ": " + failure.message);
  }
  return tl::unexpected(run::to_error(failure));
}

/// False: the plan's workspaces alone are too large.
Result<bool> check_memory(Session& session) {
  const ShapeCase& shape = session.task_case();
  const std::int64_t needed = bytes_with_expected(shape);
  KGEN_TRY(const I64 available, session.workplace.device->free_bytes());
  if (needed <= available) return true;
  if (needed - workspace_bytes(shape) <= available)
    return session.stop(Verdict::plan_invalid, "workspace",
                        "the plan asks for " + gib_text(workspace_bytes(shape)) + " of workspace beside " +
                            gib_text(needed - workspace_bytes(shape)) + " of tensors and expected values; " +
                            gib_text(available) + " are free");
  const std::int64_t total = session.workplace.facts.memory_bytes;
  return fail(
      total > 0 && needed > total ? ErrorKind::bad_input : ErrorKind::missing,
      core::describe(shape.task) + " needs " + gib_text(needed) + " (" + std::to_string(needed) +
          " bytes) of device memory to be judged (tensors, workspaces, and expected values in fp64); " +
          gib_text(available) + " are free",
      "choose smaller dims with --shape, or free memory that other programs hold");
}

Result<bool> load_candidate(Session& session) {
  if (session.is_emulated() && !check_resources(session)) return false;
  KGEN_TRY(const bool has_room, check_memory(session));
  if (!has_room) return false;
  KGEN_TRY(session.bench.runner, session.workplace.device->start_runner());
  if (!session.request.timing) KGEN_CHECK(session.workplace.device->start_ahead());
  return load_program(session, session.task_case().program);
}

Result<bool> run_checks(Session& session) {
  auto cases = chosen_cases(session);
  std::stable_sort(cases.begin(), cases.end(), [&](const CheckCase& a, const CheckCase& b) {
    const auto key = [&](const CheckCase& c) {  // programs one after the other, that of the task's shape last
      const std::size_t program = session.shapes[c.shape].program;
      return program == session.task_case().program ? session.programs.size() : program;
    };
    return key(a) < key(b);
  });
  bool task_shape_seen = false;
  for (const CheckCase& check : cases) {
    if (check.shape == 0 && task_shape_seen && any_failed(session))
      continue;  // one is enough for a wrong kernel
    if (has_failed_enough(session)) {
      say_not_run(session, &cases.back() - &check + 1, cases.size());
      break;
    }
    task_shape_seen = task_shape_seen || check.shape == 0;
    KGEN_TRY(const bool went, run_one(session, check));
    if (!went) return false;
    const bool last = &check == &cases.back() || (&check + 1)->shape != check.shape;
    if (last && runs_alone(session.shapes[check.shape])) KGEN_CHECK(drop_all_sets(session));
  }
  KGEN_TRY(const bool read, check_globals(session));
  if (!read) return false;
  summarize_checks(session);
  return conclude(session);
}

std::vector<run::KernelToLoad> kernels_of(const Session& session, std::size_t program) {
  core::ResolvedPlan all;
  for (const auto& shape : session.shapes) {
    if (shape.program == program) {
      all.steps.insert(all.steps.end(), shape.resolved.steps.begin(), shape.resolved.steps.end());
    }
  }
  return run::kernels_to_load(all, compiled_kernels(session.programs[program]));
}

Status drop_all_sets(Session& session) {
  const auto forgotten = session.bench.runner->forget_sets();
  if (!forgotten) return tl::unexpected(run::to_error(forgotten.error()));
  if (session.workplace.baselines) session.workplace.baselines->forget_sets();
  session.workplace.device->drop_sets();
  session.bench.sets.clear();
  return {};
}

void close_candidate(Session& session) {
  if (session.bench.runner) (void)session.bench.runner->forget_sets();
  session.bench.runner.reset();
  if (session.workplace.baselines) session.workplace.baselines->forget_sets();
  if (session.workplace.device) session.workplace.device->drop_sets();
}

}  // namespace kgen::judge
