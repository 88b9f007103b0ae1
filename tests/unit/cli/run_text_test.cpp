#include "cli/run_text.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"
#include "support/golden.hpp"

namespace kgen::cli {
namespace {

core::RunRecord record_of_softmax() {
  core::RunRecord record;
  record.name = "softmax-bf16-8192x8192-20260102-030405";
  record.task = *core::make_task(*reference_ops::find_builtin_op("softmax"), "", {}, {});
  record.device.kind = core::DeviceKind::cuda;
  record.device.name = "NVIDIA H200";
  record.provider = "openai-chat";
  record.model = "some-model";
  return record;
}

core::CandidateState candidate(int number, core::Purpose purpose, int parent, core::Verdict verdict,
                               double us) {
  core::CandidateState state;
  state.number = number;
  state.phase = core::CandidateState::Phase::judged;
  state.purpose = purpose;
  state.parent = parent;
  state.notes = "One block a row";
  core::EvaluationSummary summary;
  summary.verdict = verdict;
  if (us > 0) {
    summary.time = core::Interval{us, us - 1, us + 1, 50};
    summary.library = "torch.compile";
    summary.speedup = 159 / us;
  }
  state.screen = summary;
  return state;
}

core::RunState finished_state(const core::RunRecord& record) {
  core::RunState state = core::initial_state(record);
  state.provider = record.provider;
  state.device = record.device;
  state.active_s = 125;
  state.candidates = {candidate(1, core::Purpose::plan, 0, core::Verdict::compile_error, 0),
                      candidate(2, core::Purpose::repair, 1, core::Verdict::correct, 120),
                      candidate(3, core::Purpose::refine, 2, core::Verdict::correct, 79.1)};
  state.candidates[2].promotion = state.candidates[2].screen;
  state.candidates[0].possibly_paid = true;
  state.ledger.replies = 3;
  state.ledger.total.input_tokens = 34'500;
  state.ledger.total.output_tokens = 6'700;
  state.ledger.total.cost_usd = 0.1234;
  state.ledger.possibly_paid = 1;
  state.finished = core::Finished{core::Outcome::target_met, 3, "target met"};
  return state;
}

TEST(RunText, AFinishedRunSaysWhatItFoundWhatItCostAndWhereItIs) {
  const core::RunRecord record = record_of_softmax();
  const core::RunState state = finished_state(record);
  const RunSummary summary{record, state, "runs/" + record.name, std::nullopt};
  EXPECT_EQ(test::compare_golden("cli/run_summary.txt",
                                 summary_text(summary, false) + "\n" + candidates_table(state)),
            "");
}

TEST(RunText, ARunThatIsNotFinishedSaysHowToGoOn) {
  const core::RunRecord record = record_of_softmax();
  core::RunState state = finished_state(record);
  state.finished.reset();
  const std::string text = summary_text({record, state, "runs/r", std::nullopt}, false);
  EXPECT_NE(text.find("not finished; `kgen resume runs/r` goes on"), std::string::npos) << text;
  EXPECT_NE(text.find("best        candidate 3, so far"), std::string::npos) << text;
}

TEST(RunText, AReplayIsLabelledAsOne) {
  core::RunRecord record = record_of_softmax();
  record.provider = "replay";
  core::RunState state = finished_state(record);
  const std::string text = summary_text({record, state, "runs/r", std::nullopt}, false);
  EXPECT_NE(text.find("replay of a recorded transcript"), std::string::npos) << text;
}

TEST(RunText, WithoutADeviceTheOutcomeSaysPlainlyThatNothingRan) {
  EXPECT_EQ(outcome_sentence(core::Outcome::unmeasured, core::DeviceKind::none),
            "compiled; not run: there was no device");
}

TEST(EventLine, TellsOfVerdictTimeAndSpeedUp) {
  core::Event event;
  event.body = core::Evaluated{3, *finished_state(record_of_softmax()).candidates[2].screen, "", ""};
  EXPECT_EQ(event_line(event), "candidate 3: correct, 79.10 us [78.10, 80.10], 2.01x over torch.compile");
  event.body = core::AskIntended{4, 1, core::Purpose::repair, 3, "tail", "", true};
  EXPECT_EQ(event_line(event), "candidate 4: repair of 3 (tail)");
}

}  // namespace
}  // namespace kgen::cli
