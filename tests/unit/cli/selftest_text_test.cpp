#include "cli/selftest_text.hpp"

#include <gtest/gtest.h>

#include "util/json.hpp"

namespace kgen::cli {
namespace {

using selftest::Outcome;
using selftest::TrialResult;

TrialResult result(Outcome outcome) {
  TrialResult out;
  out.kernel = "softmax/zeros";
  out.dtype = "bf16";
  out.verdict = "wrong_result";
  out.caught_by = "values";
  out.detail = "\x1b[2J all is well";
  out.outcome = outcome;
  return out;
}

SelftestReport report_of(std::vector<TrialResult> results) {
  SelftestReport report;
  report.seed = 42;
  report.results = std::move(results);
  return report;
}

TEST(SelftestText, AFailureDecidesTheCodeBeforeAnEarlyEnd) {
  SelftestReport report = report_of({result(Outcome::caught)});
  EXPECT_EQ(exit_code_of(report), core::ExitCode::ok);
  report.problem = Error{ErrorKind::interrupted, "stopped", ""};
  EXPECT_EQ(exit_code_of(report), core::ExitCode::interrupted);
  report.results.push_back(result(Outcome::accepted));
  EXPECT_EQ(exit_code_of(report), core::ExitCode::not_met);
  EXPECT_EQ(exit_code_of(report_of({})), core::ExitCode::not_met);
}

TEST(SelftestText, HasTheSeedTheTableAndTheChecks) {
  const std::string text = selftest_text(report_of({result(Outcome::caught)}), false);
  EXPECT_NE(text.find("seed 42"), std::string::npos) << text;
  EXPECT_NE(text.find("softmax/zeros"), std::string::npos) << text;
  EXPECT_NE(text.find("caught by"), std::string::npos) << text;
  EXPECT_NE(text.find("0 ACCEPTED\npassed: "), std::string::npos) << text;
}

TEST(SelftestText, WhatAKernelPrintedCannotReachTheTerminal) {
  const TrialResult bad = result(Outcome::wrong_verdict);
  const std::string text = selftest_text(report_of({bad}), false) + progress_line(1, 2, bad);
  EXPECT_NE(text.find("all is well"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("1 trial failed"), std::string::npos) << text;
}

TEST(SelftestText, AnEarlyEndIsNeverCalledPassed) {
  SelftestReport report = report_of({result(Outcome::caught)});
  report.problem = Error{ErrorKind::missing, "the worker died", ""};
  EXPECT_EQ(selftest_text(report, false).find("passed"), std::string::npos);
  EXPECT_EQ(selftest_json(report).at("error").at("message"), "the worker died");
  EXPECT_EQ(selftest_json(report).at("caught_by").at("values"), 1);
}

TEST(SelftestText, AProgressLineSaysWhereItIs) {
  EXPECT_EQ(progress_line(3, 185, result(Outcome::caught)),
            "3/185 softmax/zeros bf16: caught, wrong_result (values)");
}

}  // namespace
}  // namespace kgen::cli
