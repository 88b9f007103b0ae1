#include "selftest/run_trial.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"

namespace kgen::selftest {
namespace {

/// Answers from a list and remembers what it was asked.
struct FakeEvaluator : judge::Evaluator {
  std::vector<Result<core::Evaluation>> answers;
  std::vector<core::EvaluateRequest> requests;
  int restarts = 0;

  Result<core::Evaluation> evaluate(const core::EvaluateRequest& request,
                                    const judge::EvaluationCallbacks&) override {
    requests.push_back(request);
    return answers.at(requests.size() - 1);
  }
  Result<core::BaselineReply> baseline(const core::BaselineRequest&,
                                       const judge::EvaluationCallbacks&) override {
    return core::BaselineReply{};
  }
  Result<core::SweepReply> sweep(const core::SweepRequest&, const judge::EvaluationCallbacks&) override {
    return core::SweepReply{};
  }
  Status restart() override {
    ++restarts;
    return {};
  }
};

Trial trial_of(AdversarialCase subject) {
  subject.source = "the kernel";
  Trial trial;
  trial.task = *core::make_task(*reference_ops::find_builtin_op("softmax"), "bf16", {}, {});
  trial.subject = std::make_shared<const AdversarialCase>(std::move(subject));
  return trial;
}

core::Evaluation answer(core::Verdict verdict, double median_us = 0) {
  core::Evaluation evaluation;
  evaluation.verdict = verdict;
  if (median_us > 0) {
    evaluation.timing = core::Timing{};
    evaluation.timing->candidate = {median_us, median_us - 1, median_us + 1, 20};
  }
  return evaluation;
}

TEST(RunTrial, AsksForPromotionWithTheOptionsGiven) {
  FakeEvaluator evaluator;
  evaluator.answers = {answer(core::Verdict::wrong_result)};
  AdversarialCase subject;
  subject.accept = {core::Verdict::wrong_result};
  TrialOptions options;
  options.seed = 7;
  const auto result = run_trial(trial_of(subject), options, evaluator, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::caught);
  ASSERT_EQ(evaluator.requests.size(), 1U);
  EXPECT_EQ(evaluator.requests[0].tier, core::Tier::promotion);
  EXPECT_EQ(evaluator.requests[0].seed, 7U);
  EXPECT_EQ(evaluator.requests[0].source, "the kernel");
  EXPECT_FALSE(evaluator.requests[0].timing);
}

TEST(RunTrial, TheEmulatorHasATaskOfItsOwnAndMeasuresNothing) {
  FakeEvaluator evaluator;
  evaluator.answers = {answer(core::Verdict::correct)};
  AdversarialCase subject;
  subject.timing = true;
  subject.on_emulator.not_visible = "needs a clock";
  Trial trial = trial_of(subject);
  trial.emulator_task = *core::make_task(trial.task.op, "bf16", {{"rows", 3}, {"cols", 5}}, {});
  TrialOptions options;
  options.device = core::DeviceKind::emulator;
  const auto result = run_trial(trial, options, evaluator, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::not_visible);
  EXPECT_EQ(result->detail, "needs a clock");
  EXPECT_EQ(evaluator.requests.at(0).task.dims, trial.emulator_task.dims);
  EXPECT_FALSE(evaluator.requests.at(0).timing);
}

TEST(RunTrial, MeasuresTheHonestVariantBesideATimedTrick) {
  FakeEvaluator evaluator;
  evaluator.answers = {answer(core::Verdict::correct, 50), answer(core::Verdict::correct, 90)};
  AdversarialCase subject;
  subject.neutralised_ok = subject.timing = true;
  subject.honest_variant = {{"CHEAT", 0}};
  const auto result = run_trial(trial_of(subject), {}, evaluator, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::accepted);
  ASSERT_EQ(evaluator.requests.size(), 2U);
  EXPECT_TRUE(evaluator.requests[0].variant.empty());
  EXPECT_EQ(evaluator.requests[1].variant.at("CHEAT"), 0);
}

TEST(RunTrial, AJudgeThatBreaksDownIsAFailureAndIsStartedAnew) {
  FakeEvaluator evaluator;
  evaluator.answers = {fail(ErrorKind::missing, "the worker died")};
  const auto result = run_trial(trial_of({}), {}, evaluator, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::failed);
  EXPECT_EQ(result->detail, "the worker died");
  EXPECT_EQ(evaluator.restarts, 1);
}

TEST(RunTrial, AnInterruptionEndsTheSuite) {
  FakeEvaluator evaluator;
  evaluator.answers = {fail(ErrorKind::interrupted, "stopped")};
  EXPECT_FALSE(run_trial(trial_of({}), {}, evaluator, {}));
  EXPECT_EQ(evaluator.restarts, 0);
}

TEST(RunTrials, EveryResultIsHandedOnAsItComes) {
  FakeEvaluator evaluator;
  evaluator.answers = {answer(core::Verdict::wrong_result), answer(core::Verdict::correct),
                       fail(ErrorKind::interrupted, "stopped")};
  AdversarialCase subject;
  subject.accept = {core::Verdict::wrong_result};
  std::vector<Outcome> seen;
  const auto on_result = [&](const TrialResult& result) { seen.push_back(result.outcome); };
  const std::vector<Trial> trials(3, trial_of(subject));
  EXPECT_FALSE(run_trials(trials, {}, evaluator, {}, on_result));
  EXPECT_EQ(seen, (std::vector{Outcome::caught, Outcome::accepted}));
}

TEST(RunTrial, ACaseOfAnotherDeviceIsNotEvaluated) {
  FakeEvaluator evaluator;
  AdversarialCase subject;
  subject.where = AdversarialCase::Where::emulator_only;
  const auto result = run_trial(trial_of(subject), {}, evaluator, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::skipped);
  EXPECT_TRUE(evaluator.requests.empty());
}

}  // namespace
}  // namespace kgen::selftest
