#include "harness/judge/evaluate.hpp"

#include <algorithm>

#include "harness/judge/check_sandbox.hpp"
#include "harness/judge/check_sanitizers.hpp"
#include "harness/judge/check_steps.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/counters.hpp"
#include "harness/judge/large_shape.hpp"
#include "harness/judge/profile_stage.hpp"
#include "harness/judge/soak.hpp"
#include "harness/judge/timing.hpp"
#include "util/clock.hpp"
#include "util/terminal.hpp"

namespace kgen::judge {
namespace {

struct NamedStage {
  const char* name;
  Stage run;
  bool promotion_only = false;
};

constexpr NamedStage kBeforeDevice[] = {{"plan", read_plan},
                                        {"shapes", choose_shapes},
                                        {"compile", compile_programs},
                                        {"policy", check_policy},
                                        {"arguments", bind_launches}};
constexpr NamedStage kOnDevice[] = {
    {"load", load_candidate},      {"checks", run_checks},       {"sanitizers", check_sanitizers, true},
    {"soak", check_soak, true},    {"large", check_large, true}, {"steps", check_steps, true},
    {"counters", count_candidate}, {"timing", time_candidate},   {"profile", profile_candidate}};

/// Keeps what the kernel printed: bounded, and harmless to a terminal.
void keep_output(Session& session) {
  constexpr std::size_t kMost = 4096;
  if (!session.bench.runner) return;
  std::string text = util::printable(session.bench.runner->output());
  if (text.size() > kMost)
    text = text.substr(0, kMost) + "\n... and " + std::to_string(text.size() - kMost) + " bytes more";
  session.evaluation.kernel_output = std::move(text);
}

Result<bool> run_stage(Session& session, const NamedStage& stage) {
  const util::Stopwatch watch;
  KGEN_TRY(const bool go_on, stage.run(session));
  session.add_time(stage.name, watch.elapsed_ms());
  session.on_stage({stage.name, watch.elapsed_ms()});
  return go_on;
}

template <class Stages>
Result<bool> run_stages(Session& session, const Stages& stages) {
  for (const NamedStage& stage : stages) {
    if (stage.promotion_only && session.request.tier == core::Tier::screen) continue;
    KGEN_TRY(const bool go_on, run_stage(session, stage));
    if (!go_on) return false;
  }
  return true;
}

/// What an early end left undone, lest somebody take it for passed.
void list_not_reached(Session& session) {
  const auto& done = session.evaluation.stages;
  std::string left;
  for (const NamedStage& stage : kOnDevice) {
    if (stage.promotion_only && session.request.tier == core::Tier::screen) continue;
    const bool ran =
        std::any_of(done.begin(), done.end(), [&](const auto& one) { return one.name == stage.name; });
    if (!ran) left += (left.empty() ? "" : ", ") + std::string(stage.name);
  }
  if (!left.empty())
    add_state_check(session, core::Check::State::skipped, "not_reached",
                    "the verdict was found before these stages: " + left);
}

void describe_correct(Session& session) {
  auto& evaluation = session.evaluation;
  const auto& checks = evaluation.checks;
  const bool left_out = std::any_of(checks.begin(), checks.end(),
                                    [](const core::Check& check) { return check.name == "emulated"; });
  session.stop(core::Verdict::correct, "",
               "correct at " + std::to_string(evaluation.shapes_covered) + " of " +
                   std::to_string(evaluation.shapes_total) + " shapes" +
                   (left_out ? ", of which the emulator ran a part" : "") +
                   (has_flag(session, "only_task_shape") ? "; no shape but the task's own was checked" : ""));
}

}  // namespace

Result<core::Evaluation> evaluate(const Workplace& workplace, const core::EvaluateRequest& request,
                                  const StageEvent& on_stage) {
  Session session{workplace, request, on_stage, {}, {}, {}, {}, {}};
  session.evaluation.tier = request.tier;
  session.evaluation.seed = request.seed;
  session.evaluation.device = workplace.facts.name;
  record_sandbox(session);
  KGEN_TRY(bool go_on, run_stages(session, kBeforeDevice));
  if (go_on && !workplace.device) {
    KGEN_CHECK(list_machine_code(session));
    session.stop(core::Verdict::not_run, "", "compiled; not run: no device");
    return session.evaluation;
  }
  if (go_on) {
    auto finished = run_stages(session, kOnDevice);
    keep_output(session);
    close_candidate(session);
    KGEN_TRY(go_on, std::move(finished));
    if (!go_on) list_not_reached(session);
  }
  if (go_on && any_failed(session)) {  // no stage may leave one behind
    if (conclude(session)) return fail(ErrorKind::internal, "a check failed and no stage made it a verdict");
    return session.evaluation;
  }
  if (go_on) describe_correct(session);
  return session.evaluation;
}

}  // namespace kgen::judge
