#include "selftest/run_trial.hpp"

#include "util/clock.hpp"
#include "util/json.hpp"

namespace kgen::selftest {
namespace {

core::EvaluateRequest request_of(const Trial& trial, const TrialOptions& options) {
  core::EvaluateRequest request;
  const bool emulated = options.device == core::DeviceKind::emulator;
  request.task = emulated ? trial.emulator_task : trial.task;
  request.source = trial.subject->source;
  request.tier = core::Tier::promotion;
  request.seed = options.seed;
  request.kernel_timeout_s = options.kernel_timeout_s;
  request.timing = trial.subject->timing && !emulated;
  request.profile = false;
  return request;
}

/// A trial without an evaluation.
TrialResult without_evaluation(const Trial& trial, Outcome outcome, const std::string& detail) {
  TrialResult out = result_of(trial, {}, outcome);
  out.verdict.clear();
  out.detail = detail;
  return out;
}

/// A kernel that only `check` can see passed since that check could not run here.
std::string why_not_checkable(const std::string& check, const core::Evaluation& evaluation) {
  for (const core::Check& made : evaluation.checks) {
    if (made.name == check && made.state == core::Check::State::skipped)
      return "only " + check + " sees it, which could not run: " + made.detail;
  }
  return {};
}

Result<TrialResult> judge(const Trial& trial, const TrialOptions& options, judge::Evaluator& evaluator,
                          const judge::EvaluationCallbacks& callbacks) {
  const core::EvaluateRequest request = request_of(trial, options);
  KGEN_TRY(const auto evaluation, evaluator.evaluate(request, callbacks));
  const std::string text =
      core::to_json(evaluation).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  Outcome outcome = outcome_of(*trial.subject, evaluation, text, options.device);
  if (outcome == Outcome::neutralised && trial.subject->honest_variant && evaluation.timing) {
    core::EvaluateRequest honest = request;
    honest.variant = *trial.subject->honest_variant;
    KGEN_TRY(const auto other, evaluator.evaluate(honest, callbacks));
    if (time_is_dishonest(evaluation, &other)) outcome = Outcome::accepted;
  }
  TrialResult result = result_of(trial, evaluation, outcome);
  if (outcome == Outcome::not_visible) result.detail = trial.subject->on_emulator.not_visible;
  if (outcome == Outcome::not_checkable) result.detail = why_not_checkable(trial.subject->needs, evaluation);
  return result;
}

}  // namespace

Result<TrialResult> run_trial(const Trial& trial, const TrialOptions& options, judge::Evaluator& evaluator,
                              const judge::EvaluationCallbacks& callbacks) {
  if (!runs_on(*trial.subject, options.device))
    return without_evaluation(trial, Outcome::skipped, "shows itself on another kind of device");
  const util::Stopwatch watch;
  auto result = judge(trial, options, evaluator, callbacks);
  if (!result) {
    if (result.error().kind == ErrorKind::interrupted) return tl::unexpected(result.error());
    KGEN_CHECK(evaluator.restart());
    result = without_evaluation(trial, Outcome::failed, result.error().text());
  }
  result->ms = watch.elapsed_ms();
  return result;
}

Result<std::vector<TrialResult>> run_trials(const std::vector<Trial>& trials, const TrialOptions& options,
                                            judge::Evaluator& evaluator,
                                            const judge::EvaluationCallbacks& callbacks,
                                            const std::function<void(const TrialResult&)>& on_result) {
  std::vector<TrialResult> results;
  for (const Trial& trial : trials) {
    KGEN_TRY(auto result, run_trial(trial, options, evaluator, callbacks));
    on_result(result);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace kgen::selftest
