#include "agent/autotuner.hpp"
#include "agent/judging.hpp"
#include "agent/ranking.hpp"
#include "agent/session.hpp"
#include "core/protocol.hpp"

// The steps of a session in which candidates are judged.
namespace kgen::agent {

Status Session::perform(const Screen& step) {
  return judge(step.candidate, core::Tier::screen);
}
/// The candidate goes on with the fastest of its variants. Where the session ends before the journal has it,
/// the next one sweeps again, with the same seed.
Status Session::perform(const SweepVariants& step) {
  const int number = step.candidate;
  KGEN_TRY(const std::string source, util::read_file(inputs_.paths.kernel(number)));
  TuneInputs tuned;
  tuned.screen = request_for(number, core::Tier::screen, source);
  tuned.device = inputs_.device;
  tuned.most_variants = state().search.variants;
  tuned.seed = sweep_seed(inputs_.journal.record().seed, number);
  tuned.before = state().find(number)->screen->time;
  KGEN_TRY(const Tuning tuning, tune(inputs_.evaluator, tuned, callbacks_for(number, core::Tier::screen)));
  if (tuning.screen) KGEN_CHECK(write_evaluation(inputs_.paths, number, *tuning.screen));
  KGEN_CHECK(write_sweep(inputs_.paths, number, tuning.record));
  core::Swept swept{number, static_cast<int>(tuning.record.reply.variants.size()),
                    core::count_rejected(tuning.record.reply), tuning.record.variant, tuning.record.reason};
  if (tuning.screen) swept.summary = core::summarize(*tuning.screen);
  return note(std::move(swept));
}

Status Session::perform(const Promote& step) {
  return judge(step.candidate, core::Tier::promotion);
}

Status Session::judge(int number, core::Tier tier) {
  KGEN_TRY(const std::string reply, util::read_file(inputs_.paths.reply(number)));
  const ReadReply read = read_reply(reply, state().find(number)->stop, state().find(number)->stop_detail);
  core::Evaluation evaluation = read.problem;
  if (read.source) {
    KGEN_CHECK(util::write_file_atomic(inputs_.paths.kernel(number), *read.source));
    const core::EvaluateRequest request = request_for(number, tier, *read.source);
    const judge::EvaluationCallbacks callbacks = callbacks_for(number, tier);
    KGEN_TRY(evaluation, with_fresh_worker(inputs_.evaluator,
                                           [&] { return inputs_.evaluator.evaluate(request, callbacks); }));
  }
  evaluation.tier = tier;
  KGEN_CHECK(write_evaluation(inputs_.paths, number, evaluation));
  core::Evaluated evaluated{number, core::summarize(evaluation)};
  if (read.source) {
    evaluated.notes = notes_of(*read.source);
    evaluated.source_hash = util::content_hash(*read.source);
    evaluated.variants = count_variants(*read.source, inputs_.journal.record().task, inputs_.device);
  }
  KGEN_CHECK(note(std::move(evaluated)));
  return tier == core::Tier::promotion ? write_best() : Status{};
}

/// A candidate much slower than the fastest so far is not refined: its profile is not worth its cost.
double Session::profile_limit_us() const {
  constexpr double kSlower = 1.5;
  for (const core::CandidateState* candidate : ranked(state())) {
    const core::EvaluationSummary* summary = standing(*candidate);
    const bool timed = summary != nullptr && summary->time && !core::has_flag(*summary, "implausible_time");
    if (timed) return kSlower * summary->time->median_us;
  }
  return 0;
}

core::EvaluateRequest Session::request_for(int number, core::Tier tier, const std::string& source) const {
  core::EvaluateRequest request;
  request.task = inputs_.journal.record().task;
  request.source = source;
  request.tier = tier;
  request.seed = evaluation_seed(inputs_.journal.record().seed, number, tier);
  request.kernel_timeout_s = state().search.kernel_timeout_s;
  request.require_all_shapes = state().search.general;
  request.variant = state().find(number)->variant;
  request.profile_below_us = profile_limit_us();
  return request;
}

judge::EvaluationCallbacks Session::callbacks_for(int number, core::Tier tier) const {
  judge::EvaluationCallbacks callbacks{inputs_.cancelled, {}};
  if (inputs_.progress.stage) {
    callbacks.stage = [this, number, tier](const core::Stage& stage) {
      inputs_.progress.stage(number, tier, stage);
    };
  }
  return callbacks;
}

Status Session::write_best() {
  const core::Finished now = finish(state(), "");
  if (now.best == 0) return {};
  KGEN_TRY(const std::string source, read_tuned_kernel(inputs_.paths, *state().find(now.best)));
  return util::write_file_atomic(inputs_.paths.best(), source);
}

}  // namespace kgen::agent
