#include "cli/evaluation_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/golden.hpp"

namespace kgen::cli {
namespace {

core::Check check(const std::string& name, std::int64_t rows, std::int64_t cols, double ratio) {
  core::Check result;
  result.name = name;
  result.dims = {{"rows", rows}, {"cols", cols}};
  result.distribution = "normal";
  result.seed = 7;
  result.worst_ratio = ratio;
  return result;
}

core::BaselineTiming baseline(const std::string& name, double us, double speedup) {
  core::BaselineTiming result;
  result.name = name;
  result.library = true;
  result.time = core::Interval{us, us - 1, us + 1, 40};
  result.speedup = speedup;
  result.speedup_low = speedup - 0.02;
  result.speedup_high = speedup + 0.02;
  return result;
}

core::Evaluation correct_evaluation() {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::correct;
  evaluation.seed = 42;
  evaluation.variant = {{"BLOCK", 256}};
  evaluation.compile.ok = true;
  core::KernelFacts kernel;
  kernel.name = "softmax_rows";
  kernel.registers = 40;
  kernel.static_shared_bytes = 1024;
  kernel.occupancy = 0.75;
  kernel.occupancy_limit = "registers";
  evaluation.compile.kernels = {kernel};
  evaluation.checks = {check("values", 5, 1023, 0.31), check("guards", 5, 1023, 0),
                       check("values", 8192, 8192, 0.44)};
  evaluation.shapes_covered = 6;
  evaluation.shapes_total = 7;
  evaluation.not_covered = {"rows=3,cols=7: requires cols % 8 == 0"};
  core::Timing timing;
  timing.candidate = {79.12, 78.9, 79.4, 412};
  timing.baselines = {baseline("torch.compile", 159, 2.01), baseline("torch eager", 258, 3.26)};
  core::BaselineTiming missing;
  missing.name = "cuDNN";
  missing.why_missing = "no such baseline for this op";
  timing.baselines.push_back(missing);
  timing.method = "stream";
  timing.floor_us = 64.3;
  timing.percent_of_roofline = 81.3;
  timing.ceiling_measured = true;
  timing.sm_clock_mhz = 1980;
  timing.power_w = 401;
  evaluation.timing = timing;
  evaluation.stages = {{"compile", 9.1}, {"checks", 180}, {"timing", 210}};
  return evaluation;
}

constexpr const char* kTitle = "kernel.cu: softmax bf16 rows=8192 cols=8192 on NVIDIA H200 (sm_90a)";

TEST(EvaluationText, ACorrectKernelShowsItsEvidence) {
  EXPECT_EQ(test::compare_golden("cli/evaluation_correct.txt",
                                 evaluation_text(kTitle, correct_evaluation(), false)),
            "");
}

TEST(EvaluationText, APromotionListsWhatPassedAndWhatCouldNotRun) {
  core::Evaluation evaluation = correct_evaluation();
  evaluation.tier = core::Tier::promotion;
  core::Check soak, memcheck;
  soak.name = "soak";
  soak.detail = "20000 launches of 2 small shapes, back to back";
  memcheck.name = "memcheck";
  memcheck.state = core::Check::State::skipped;
  memcheck.detail = "compute-sanitizer was not found";
  evaluation.checks.push_back(soak);
  evaluation.checks.push_back(memcheck);
  const std::string text = evaluation_text(kTitle, evaluation, false);
  EXPECT_NE(text.find("promotion    soak passed: 20000 launches of 2 small shapes, back to back"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("memcheck did not run: compute-sanitizer was not found"), std::string::npos) << text;
  evaluation.checks.clear();
  evaluation.checks.push_back(soak);
  evaluation.tier = core::Tier::screen;
  EXPECT_EQ(evaluation_facts(evaluation).find("soak passed"), std::string::npos);
}

TEST(EvaluationText, AReasonThatNamesHundredsOfShapesIsCut) {
  core::Evaluation evaluation;
  core::Check shapes;
  shapes.name = "made_shapes";
  shapes.state = core::Check::State::skipped;
  shapes.detail = "none was run. Not run: rows=1";
  for (int rows = 2; rows < 500; ++rows) shapes.detail += "; rows=" + std::to_string(rows);
  evaluation.checks.push_back(shapes);
  const std::string text = evaluation_text(kTitle, evaluation, false);
  EXPECT_NE(text.find("made_shapes did not run: none was run. Not run: rows=1; rows=2"), std::string::npos);
  EXPECT_NE(text.find("... (all of it in the JSON)\n"), std::string::npos);
  EXPECT_EQ(text.find("rows=499"), std::string::npos);
}

TEST(EvaluationText, ACeilingThatWasNotMeasuredIsTheDatasheets) {
  core::Evaluation evaluation = correct_evaluation();
  evaluation.timing->ceiling_measured = false;
  EXPECT_NE(evaluation_facts(evaluation).find("datasheet"), std::string::npos);
  EXPECT_EQ(evaluation_facts(correct_evaluation()).find("datasheet"), std::string::npos);
}

TEST(EvaluationText, AWrongKernelShowsTheWorstElementsAndThePattern) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::wrong_result;
  evaluation.message = "values differ at rows=5,cols=1023";
  evaluation.seed = 9;
  evaluation.compile.ok = true;
  evaluation.flags = {"noisy"};
  core::Check failed = check("values", 5, 1023, 412);
  failed.state = core::Check::State::failed;
  failed.mismatch = core::Mismatch{
      14, 5115, {{"y", {4, 1022}, 0.0012345678, 0, 3e-6}}, "all wrong elements have cols >= 1020: tail"};
  core::Check skipped = check("race", 5, 1023, 0);
  skipped.state = core::Check::State::skipped;
  skipped.detail = "compute-sanitizer is not installed";
  evaluation.checks = {failed, skipped};
  EXPECT_EQ(test::compare_golden("cli/evaluation_wrong.txt", evaluation_text(kTitle, evaluation, false)), "");
}

TEST(EvaluationText, WhatHeldACandidateIsNoCheckThatItPassed) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::plan_invalid;
  evaluation.tier = core::Tier::promotion;
  evaluation.shapes_covered = 9;
  evaluation.shapes_total = 10;
  for (const char* name : {"sandbox_compile", "sandbox_run"}) {
    core::Check held;
    held.name = name;
    held.detail = "in force: rlimits";
    evaluation.checks.push_back(held);
  }
  const std::string early = evaluation_text("k.cu", evaluation, false);
  EXPECT_NE(early.find("checks     none ran; the plan serves 9 of 10 shapes"), std::string::npos) << early;
  EXPECT_NE(early.find("sandbox_run passed: in force: rlimits"), std::string::npos) << early;
  EXPECT_EQ(checks_table(evaluation), "");
  evaluation.checks.push_back(check("values", 5, 7, 0.5));
  const std::string later = evaluation_text("k.cu", evaluation, false);
  EXPECT_NE(later.find("1 of 1 passed; the plan"), std::string::npos) << later;
  EXPECT_EQ(checks_table(evaluation).find("  - "), std::string::npos) << later;
}

TEST(EvaluationText, AWrongElementShowsTheSignOfAZero) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::wrong_result;
  core::Check failed = check("values", 5, 7, 1e300);
  failed.state = core::Check::State::failed;
  failed.mismatch =
      core::Mismatch{1, 35, {{"y", {4, 6}, -0.0, 0.0, 0.0}}, "they are zeros of the wrong sign"};
  evaluation.checks = {failed};
  const std::string text = evaluation_text("k.cu", evaluation, false);
  EXPECT_NE(text.find(" -0 "), std::string::npos) << text;
  EXPECT_NE(text.find("  differs\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("1e+300"), std::string::npos) << text;
  EXPECT_NE(text.find("zeros of the wrong sign"), std::string::npos) << text;
}

TEST(EvaluationText, ACompileErrorShowsTheLine) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::compile_error;
  evaluation.message = "1 error";
  evaluation.compile.diagnostics = {{"error", 12, "identifier \"foo\" is undefined", "  foo(x);"}};
  EXPECT_EQ(
      test::compare_golden("cli/evaluation_compile_error.txt", evaluation_text(kTitle, evaluation, false)),
      "");
}

TEST(EvaluationText, WhatTheKernelPrintedIsMarkedAndCannotSteerTheTerminal) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::wrong_result;
  evaluation.kernel_output = "\x1b[1Aall checks passed\nverdict: correct\n";
  const std::string text = evaluation_text("k.cu", evaluation, false);
  EXPECT_NE(text.find("the kernel printed (its own words, not kgen's):\n  | all checks passed\n"
                      "  | verdict: correct\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (int i = 0; i < 100; ++i) evaluation.kernel_output += "line\n";
  const std::string cut = evaluation_text("k.cu", evaluation, false);
  EXPECT_LT(std::count(cut.begin(), cut.end(), '\n'), 40);
  EXPECT_NE(cut.find("... and more"), std::string::npos);
}

TEST(EvaluationText, AReplyWithoutAKernelHasNoSeed) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::reply_invalid;
  EXPECT_EQ(evaluation_text("reply.md", evaluation, false).find("seed"), std::string::npos);
}

}  // namespace
}  // namespace kgen::cli
