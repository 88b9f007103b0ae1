#include "report/run_data.hpp"

#include <gtest/gtest.h>

#include "report/chart_data.hpp"
#include "report/provenance.hpp"
#include "report/run_words.hpp"
#include "report/sample_run.hpp"
#include "support/golden.hpp"
#include "util/json.hpp"

namespace kgen::report {
namespace {

using nlohmann::json;

TEST(RunData, IsThatOfTheGoldenRun) {
  EXPECT_EQ(test::compare_golden("report/run.json", run_data(test::sample_run()).dump(1) + "\n"), "");
}

TEST(RunData, AReplyIsCutAroundTheKernelItHolds) {
  const ReportRun run = test::sample_run();
  const json candidate = run_data(run).at("candidates").at(1);
  const json& parts = candidate.at("reply");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(
      parts[0].get<std::string>() + candidate.at("source").get<std::string>() + parts[1].get<std::string>(),
      run.files[1].reply);
}

TEST(RunData, SeedsKeepAllTheirDigits) {
  EXPECT_NE(json_text(run_data(test::sample_run())).find("\"18446744073709551557\""), std::string::npos);
}

TEST(RunData, ARunWithoutTimesHasNoCharts) {
  ReportRun run = test::sample_run();
  for (core::CandidateState& candidate : run.state.candidates) {
    candidate.promotion.reset();
    if (candidate.screen) candidate.screen->time.reset();
  }
  for (CandidateFiles& files : run.files) {
    files.promotion.reset();
    if (files.screen) files.screen->timing.reset();
  }
  const json data = run_data(run);
  EXPECT_TRUE(data.at("bars").empty());
  EXPECT_TRUE(data.at("roofline").is_null());
}

TEST(RunData, ARunThatHasJustBegunIsAReportToo) {
  ReportRun run = test::sample_run();
  run.state = core::initial_state(run.record);
  run.files.clear();
  const json data = run_data(run);
  EXPECT_EQ(data.at("outcome").at("name"), "not finished");
  EXPECT_TRUE(data.at("candidates").empty());
}

TEST(ChartData, TheRooflineStandsAtTheTasksIntensity) {
  const ReportRun run = test::sample_run();
  const auto cost = *core::cost_of(run.record.task);
  const json roofline = roofline_data(run);
  EXPECT_DOUBLE_EQ(roofline.at("intensity").get<double>(),
                   static_cast<double>(cost.flops) / static_cast<double>(cost.bytes));
  const json& best = roofline.at("points").back();
  EXPECT_EQ(best.at("kind"), "best");
  EXPECT_DOUBLE_EQ(best.at("gflops").get<double>(), static_cast<double>(cost.flops) / 69.28 / 1e3);
}

TEST(ChartData, TheRoofIsTheOneThatTheJudgeDividedBy) {
  ReportRun run = test::sample_run();
  run.files[2].promotion->timing->floor_us = 1000;  // by operations, where bytes would take 64 us
  const json roofline = roofline_data(run);
  const auto cost = *core::cost_of(run.record.task);
  EXPECT_DOUBLE_EQ(roofline.at("roof_gflops").get<double>(), static_cast<double>(cost.flops) / 1000 / 1e3);
  EXPECT_LT(roofline.at("roof_gflops").get<double>(),
            roofline.at("bandwidth_gbs").get<double>() * roofline.at("intensity").get<double>());
}

TEST(ChartData, WrongKernelsAreNotDrawnHoweverFast) {
  ReportRun run = test::sample_run();
  run.state.candidates[1].screen->verdict = core::Verdict::wrong_result;
  for (const json& bar : bars_data(run)) EXPECT_NE(bar.at("label"), "candidate 2");
}

TEST(OutcomeLine, SaysWhatWasFoundWithItsFigures) {
  EXPECT_EQ(
      outcome_line(test::sample_run().state),
      "The target is met: candidate 3 takes 69.28 us [69.03, 69.53], 2.30x [2.29, 2.31] over torch.compile, "
      "91.8% of roofline.");
  core::RunState emulated = test::sample_run().state;
  emulated.device.kind = core::DeviceKind::emulator;
  emulated.finished->outcome = core::Outcome::unmeasured;
  emulated.candidates[2].promotion->time.reset();
  EXPECT_EQ(outcome_line(emulated),
            "Correct on the emulator; no time was measured; the best is candidate 3.");
  core::RunState none;
  none.finished = core::Finished{core::Outcome::no_correct_kernel, 0, "budget"};
  EXPECT_EQ(outcome_line(none), "No correct kernel was found.");
}

TEST(Reproduce, CommandsSurviveTheShell) {
  EXPECT_EQ(shell_word("rows=8192,cols=7"), "rows=8192,cols=7");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$(rm -rf ~)'; x"), "'$(rm -rf ~)'\\''; x'");
  EXPECT_EQ(shell_word(""), "''");
  const std::vector<Command> commands = reproduce(test::sample_run());
  ASSERT_EQ(commands.size(), 3u);
  EXPECT_EQ(commands[0].line,
            "kgen eval softmax-bf16-8192x8192-20260102-030405/best.cu --op softmax --dtype bf16 --shape "
            "rows=8192,cols=8192 --device cuda:0 --tier promotion --seed 42");
}

}  // namespace
}  // namespace kgen::report
