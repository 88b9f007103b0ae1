#include "selftest/trial_result.hpp"

#include <gtest/gtest.h>

namespace kgen::selftest {
namespace {

using core::Verdict;

AdversarialCase cheat() {
  AdversarialCase subject;
  subject.accept = {Verdict::hidden_state, Verdict::wrong_result};
  return subject;
}

core::Evaluation verdict(Verdict word) {
  core::Evaluation evaluation;
  evaluation.verdict = word;
  return evaluation;
}

core::Evaluation timed(double low_us, double high_us, double floor_us = 0) {
  core::Evaluation evaluation = verdict(Verdict::correct);
  evaluation.timing = core::Timing{};
  evaluation.timing->candidate = {(low_us + high_us) / 2, low_us, high_us, 20};
  evaluation.timing->plausible_floor_us = floor_us;
  return evaluation;
}

TEST(OutcomeOf, ARightVerdictIsCaughtAndAnotherOneIsNot) {
  EXPECT_EQ(outcome_of(cheat(), verdict(Verdict::hidden_state), ""), Outcome::caught);
  EXPECT_EQ(outcome_of(cheat(), verdict(Verdict::timeout), ""), Outcome::wrong_verdict);
}

TEST(OutcomeOf, ACorrectCheatIsAcceptedUnlessItsTrickWasNeutralised) {
  AdversarialCase subject = cheat();
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::correct), ""), Outcome::accepted);
  subject.neutralised_ok = true;
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::correct), ""), Outcome::neutralised);
}

TEST(OutcomeOf, ANeutralisedKernelFasterThanTheDeviceIsAccepted) {
  AdversarialCase subject = cheat();
  subject.neutralised_ok = true;
  core::Evaluation evaluation = timed(1, 2, 5);
  EXPECT_EQ(outcome_of(subject, evaluation, ""), Outcome::accepted);
  evaluation.flags = {"implausible_time"};
  EXPECT_EQ(outcome_of(subject, evaluation, ""), Outcome::neutralised);
}

TEST(OutcomeOf, AKnownGoodKernelMustBeCorrectWhereItServes) {
  AdversarialCase subject;
  subject.known_good = true;
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::correct), ""), Outcome::passed);
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::not_covered), ""), Outcome::not_served);
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::wrong_result), ""), Outcome::rejected);
}

TEST(OutcomeOf, ALeakCountsWhateverTheVerdict) {
  AdversarialCase subject = cheat();
  subject.must_not_leak = {"root:x:"};
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::wrong_result), "log: root:x:0:0"), Outcome::leaked);
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::wrong_result), "log: refused"), Outcome::caught);
}

TEST(OutcomeOf, ACheckThatCouldNotRunIsNoAcceptance) {
  AdversarialCase subject = cheat();
  subject.needs = "memcheck";
  core::Evaluation evaluation = verdict(Verdict::correct);
  EXPECT_EQ(outcome_of(subject, evaluation, ""), Outcome::accepted) << "nothing says that it was skipped";
  evaluation.checks.resize(1);
  evaluation.checks[0].name = "memcheck";
  evaluation.checks[0].state = core::Check::State::skipped;
  EXPECT_EQ(outcome_of(subject, evaluation, ""), Outcome::not_checkable);
}

TEST(OutcomeOf, WhatTheEmulatorCannotShowIsNoAcceptanceThereAndOnlyThere) {
  AdversarialCase subject = cheat();
  subject.on_emulator.not_visible = "needs a clock";
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::correct), "", core::DeviceKind::emulator),
            Outcome::not_visible);
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::correct), "", core::DeviceKind::cuda), Outcome::accepted);
}

TEST(OutcomeOf, VerdictsOfTheEmulatorAreRightThereAndOnlyThere) {
  AdversarialCase subject = cheat();
  subject.on_emulator.accept = {Verdict::race, Verdict::not_emulated};
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::race), "", core::DeviceKind::emulator), Outcome::caught);
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::race), "", core::DeviceKind::cuda), Outcome::wrong_verdict);
  EXPECT_EQ(outcome_of(subject, verdict(Verdict::not_emulated), "", core::DeviceKind::emulator),
            Outcome::not_emulated);
  EXPECT_EQ(outcome_of(cheat(), verdict(Verdict::not_emulated), "", core::DeviceKind::emulator),
            Outcome::wrong_verdict);
}

TEST(TimeIsDishonest, ComparesWithTheHonestVariant) {
  const core::Evaluation honest = timed(100, 104);
  const core::Evaluation same = timed(98, 101), faster = timed(60, 64);
  EXPECT_FALSE(time_is_dishonest(same, &honest));
  EXPECT_TRUE(time_is_dishonest(faster, &honest));
  EXPECT_FALSE(time_is_dishonest(verdict(Verdict::correct), &honest));
}

TEST(RunsOn, EmulatorCasesStayOffTheGpuAndAllRunOnTheEmulator) {
  AdversarialCase subject;
  EXPECT_TRUE(runs_on(subject, core::DeviceKind::cuda));
  EXPECT_TRUE(runs_on(subject, core::DeviceKind::emulator));
  subject.where = AdversarialCase::Where::emulator_only;
  EXPECT_FALSE(runs_on(subject, core::DeviceKind::cuda));
  subject.where = AdversarialCase::Where::any;
  EXPECT_TRUE(runs_on(subject, core::DeviceKind::none));
}

TEST(RunsOn, KnownGoodKernelsRunWhereverAKernelRuns) {
  AdversarialCase subject;
  subject.known_good = true;
  EXPECT_TRUE(runs_on(subject, core::DeviceKind::cuda));
  EXPECT_TRUE(runs_on(subject, core::DeviceKind::emulator));
  EXPECT_FALSE(runs_on(subject, core::DeviceKind::none));
}

TEST(AllWell, NeedsAResultAndNoFailure) {
  TrialResult good, bad;
  good.outcome = Outcome::not_checkable;
  bad.outcome = Outcome::accepted;
  EXPECT_FALSE(all_well({}));
  EXPECT_TRUE(all_well({good}));
  EXPECT_FALSE(all_well({good, bad}));
}

TEST(ResultOf, NamesEachCheckThatFailedOnce) {
  core::Evaluation evaluation = verdict(Verdict::wrong_result);
  evaluation.checks.resize(4);
  for (std::size_t i = 0; i < 4; ++i) {
    evaluation.checks[i].name = i == 0 ? "values" : i == 1 ? "guards" : "inputs";
    evaluation.checks[i].state = i == 0 ? core::Check::State::passed : core::Check::State::failed;
  }
  const TrialResult result =
      result_of({std::make_shared<AdversarialCase>(cheat()), {}, {}}, evaluation, Outcome::caught);
  EXPECT_EQ(result.caught_by, "guards,inputs");
  EXPECT_EQ(result.expected, "hidden_state|wrong_result");
}

}  // namespace
}  // namespace kgen::selftest
