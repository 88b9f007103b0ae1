#include "selftest/trial_table.hpp"

#include <gtest/gtest.h>

namespace kgen::selftest {
namespace {

TrialResult caught_by(const std::string& checks, const std::string& verdict = "wrong_result") {
  TrialResult result;
  result.kernel = "softmax/x";
  result.outcome = Outcome::caught;
  result.verdict = verdict;
  result.caught_by = checks;
  result.expected = "hidden_state";
  result.detail = "3 of 12 elements are wrong";
  return result;
}

TEST(TrialTable, ALineNamesTheChecksThatFailedAndFailuresSayWhatWasExpected) {
  const std::string caught = table_line(caught_by("guards,values"));
  EXPECT_NE(caught.find("guards,values"), std::string::npos);
  EXPECT_EQ(caught.find("3 of 12"), std::string::npos);
  TrialResult wrong = caught_by("guards");
  wrong.outcome = Outcome::wrong_verdict;
  EXPECT_NE(table_line(wrong).find("expected hidden_state; 3 of 12"), std::string::npos);
}

TEST(TrialTable, WhatNothingHereCouldCheckSaysWhy) {
  TrialResult unseen = caught_by("", "correct");
  unseen.outcome = Outcome::not_checkable;
  unseen.detail = "only memcheck sees it, which could not run: no compute-sanitizer";
  EXPECT_NE(table_line(unseen).find("no compute-sanitizer"), std::string::npos);
}

TEST(TrialTable, WhatCaughtAKernelIsTheFirstCheckThatFailedOrTheVerdictBeforeAnyCheck) {
  EXPECT_EQ(catcher_of(caught_by("guards,values")), "guards");
  EXPECT_EQ(catcher_of(caught_by("", "compile_error")), "compile_error");
  TrialResult passed = caught_by("values");
  passed.outcome = Outcome::passed;
  EXPECT_EQ(catcher_of(passed), "");
}

TEST(TrialTable, ChecksAreOrderedByWhatTheyCaught) {
  const std::vector<TrialResult> results = {caught_by("guards"), caught_by("values"),
                                            caught_by("values,guards")};
  EXPECT_EQ(caught_by_check(results), (std::map<std::string, int>{{"guards", 1}, {"values", 2}}));
  const std::string table = checks_table(results);
  EXPECT_LT(table.find("values"), table.find("guards"));
  EXPECT_EQ(checks_table({}), "");
}

TEST(TrialTable, TheSummaryAlwaysSaysHowManyWereAccepted) {
  EXPECT_EQ(summary({caught_by(""), caught_by("")}), "2 evaluations: 2 caught, 0 ACCEPTED\n");
}

}  // namespace
}  // namespace kgen::selftest
