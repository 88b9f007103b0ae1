#include "selftest/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/resolved_plan.hpp"
#include "util/file.hpp"

namespace kgen::selftest {
namespace {

bool accepts(const AdversarialCase& subject, core::Verdict verdict) {
  return std::find(subject.accept.begin(), subject.accept.end(), verdict) != subject.accept.end();
}

std::vector<Trial> trials() {
  auto all = suite();
  EXPECT_TRUE(all) << all.error().text();
  return all ? *std::move(all) : std::vector<Trial>{};
}

TEST(Suite, HasKnownGoodKernelsOfEveryOpAndManyAdversarialOnes) {
  const auto cases = adversarial_cases();
  ASSERT_TRUE(cases) << cases.error().text();
  EXPECT_GE(cases->size(), 100U);
  std::set<std::string> good;
  for (const Trial& trial : trials()) {
    if (trial.subject->known_good) good.insert(trial.subject->op);
  }
  EXPECT_TRUE(good.contains("softmax"));
  EXPECT_TRUE(good.contains("add_relu"));
}

// What the emulator cannot judge is no secret: each such kernel is named, and none that it can judge.
TEST(Suite, TrialsAreChosenByWordsOfTheirTitles) {
  const auto all = trials();
  const auto good = trials_with(all, "softmax/ bf16 kernels/"),
             cheats = trials_with(all, "softmax/ bf16 !kernels/");
  ASSERT_FALSE(good.empty());
  ASSERT_FALSE(cheats.empty());
  EXPECT_EQ(good.size() + cheats.size(), trials_with(all, "softmax/ bf16").size());
  for (const Trial& trial : good) EXPECT_TRUE(trial.subject->known_good) << trial.title();
  for (const Trial& trial : cheats) {
    EXPECT_FALSE(trial.subject->known_good) << trial.title();
    EXPECT_NE(trial.title().find("softmax/"), std::string::npos) << trial.title();
  }
  EXPECT_EQ(trials_with(all, "").size(), all.size());
  EXPECT_TRUE(trials_with(all, "softmax/ !softmax/").empty());
}

TEST(Suite, WhatTheEmulatorDoesNotJudgeIsListedInItsPage) {
  const auto cases = adversarial_cases();
  ASSERT_TRUE(cases);
  const auto page = util::read_file(std::string(KGEN_SOURCE_DIR) + "/docs/emulator.md");
  ASSERT_TRUE(page) << page.error().text();
  for (const AdversarialCase& subject : *cases) {
    const auto& there = subject.on_emulator;
    const bool is_left = !there.not_visible.empty() ||
                         std::find(there.accept.begin(), there.accept.end(), core::Verdict::not_emulated) !=
                             there.accept.end();
    EXPECT_EQ(page->find("`" + subject.name + "`") != std::string::npos, is_left) << subject.name;
  }
}

TEST(Suite, EveryCaseSaysHowItMisbehaves) {
  const auto cases = adversarial_cases();
  ASSERT_TRUE(cases);
  for (const AdversarialCase& subject : *cases) {
    EXPECT_TRUE(subject.misbehaves.ends_with(".")) << subject.name;
    EXPECT_EQ(subject.op, subject.name.substr(0, subject.name.find('/')));
    EXPECT_TRUE(!subject.honest_variant || subject.timing) << subject.name;
  }
}

/// "Not visible" is a claim about the emulator alone, and needs its reason.
TEST(Suite, WhatTheEmulatorCannotShowSaysWhy) {
  const auto cases = adversarial_cases();
  ASSERT_TRUE(cases);
  std::size_t hidden = 0;
  for (const AdversarialCase& subject : *cases) {
    const std::string& why = subject.on_emulator.not_visible;
    if (why.empty()) continue;
    ++hidden;
    EXPECT_TRUE(why.ends_with(".") && why.size() > 20) << subject.name << ": " << why;
    EXPECT_NE(subject.where, AdversarialCase::Where::emulator_only) << subject.name;
  }
  EXPECT_LE(hidden, 20U) << "a judge that sees little on the emulator is of little use there";
}

/// Only what is meant to fail in its plan does.
TEST(Suite, EveryPlanResolvesForItsTask) {
  const core::DeviceFacts hopper;
  for (const Trial& trial : trials()) {
    const AdversarialCase& subject = *trial.subject;
    const auto plan = core::parse_plan(subject.source);
    ASSERT_TRUE(plan) << subject.name << ": " << plan.error().text();
    const auto unmet = core::unmet_requirement(*plan, trial.task, hopper);
    ASSERT_TRUE(unmet) << subject.name << ": " << unmet.error().text();
    if (*unmet) {
      EXPECT_TRUE(subject.known_good || accepts(subject, core::Verdict::not_covered)) << subject.name;
      continue;
    }
    const auto variants = core::feasible_variants(*plan, trial.task, hopper);
    ASSERT_TRUE(variants) << subject.name << ": " << variants.error().text();
    const auto resolved = core::resolve_plan(*plan, trial.task, hopper, variants->front());
    if (!accepts(subject, core::Verdict::plan_invalid)) {
      EXPECT_TRUE(resolved) << subject.name << ": " << resolved.error().text();
    } else if (subject.accept.size() == 1) {
      EXPECT_FALSE(resolved) << subject.name << " resolves";
    }
  }
}

}  // namespace
}  // namespace kgen::selftest
