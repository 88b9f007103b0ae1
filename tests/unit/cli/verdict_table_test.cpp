// The table of docs/verification.md says what the code does: every verdict and outcome has a row, and each
// row's outcome and exit codes are those that the search and `kgen eval` give.
#include <gtest/gtest.h>

#include <set>

#include "agent/ranking.hpp"
#include "cli/eval_exit_code.hpp"
#include "support/markdown_table.hpp"

namespace kgen::cli {
namespace {

using core::Evaluation;
using core::Verdict;
using test::MarkdownRow;

std::string only_word(const std::string& cell) {
  const auto words = test::code_words(cell);
  EXPECT_EQ(words.size(), 1u) << cell;
  return words.empty() ? "" : words.front();
}

core::DeviceKind device_of(const MarkdownRow& row) {
  const std::string& name = row.at("device");
  if (name == "emulator") return core::DeviceKind::emulator;
  if (name == "none") return core::DeviceKind::none;
  EXPECT_TRUE(name == "GPU" || name == "any") << name;
  return core::DeviceKind::cuda;
}

/// A timed evaluation: `speedup` over a library, or without one where it is 0.
Evaluation timed(double speedup, double percent_of_roofline) {
  Evaluation evaluation;
  evaluation.timing = core::Timing{};
  evaluation.timing->candidate = {100, 99, 101, 50};
  evaluation.timing->percent_of_roofline = percent_of_roofline;
  if (speedup > 0) {
    core::BaselineTiming library;
    library.name = "torch.compile";
    library.library = true;
    library.time = core::Interval{100 * speedup, 99 * speedup, 101 * speedup, 50};
    library.speedup = library.speedup_low = library.speedup_high = speedup;
    evaluation.timing->baselines.push_back(library);
  }
  return evaluation;
}

struct Situation {
  Evaluation evaluation;
  core::Target target;
};

/// What the row's first cell describes. Rows of `correct` differ in their times only.
Situation situation_of(const MarkdownRow& row) {
  const std::string& defect = row.at("defect or finding");
  const core::Target demanding{core::Target::Kind::speedup, 3};
  Situation out;
  if (defect == "none; the target is reached") {
    out = {timed(2, 50), {}};
  } else if (defect == "none; beats the best library, misses the target") {
    out = {timed(2, 50), demanding};
  } else if (defect == "none; no library to compare with, misses the target") {
    out = {timed(0, 50), {}};
  } else if (defect == "none; the best library is as fast or faster") {
    out = {timed(0.9, 50), {}};
  } else if (defect == "none, but faster than the device can be (flag `implausible_time`)") {
    out = {timed(2, 50), {}};
    out.evaluation.flags = {"implausible_time"};
  } else {
    EXPECT_TRUE(row.at("verdict") != "`correct`" || row.at("device") == "emulator") << defect;
  }
  const auto verdict = core::parse_verdict(only_word(row.at("verdict")));
  EXPECT_TRUE(verdict) << row.at("verdict");
  out.evaluation.verdict = verdict.value_or(Verdict::not_run);
  out.evaluation.compile.ok = true;
  return out;
}

/// The run in which nothing better was found than this candidate.
core::Finished finished_run(const Situation& situation, core::DeviceKind device) {
  core::RunState state;
  state.device.kind = device;
  state.search.target = situation.target;
  core::CandidateState& candidate = state.candidates.emplace_back();
  candidate.number = 1;
  candidate.screen = candidate.promotion = core::summarize(situation.evaluation);
  return agent::finish(state, "");
}

TEST(VerdictTable, HasRowsForEveryVerdictAndEveryOutcome) {
  std::set<std::string> verdicts, outcomes;
  for (const MarkdownRow& row : test::verdict_table()) {
    verdicts.insert(only_word(row.at("verdict")));
    outcomes.insert(only_word(row.at("outcome of a run")));
  }
  for (int i = 0; i <= static_cast<int>(Verdict::correct); ++i)
    EXPECT_TRUE(verdicts.contains(std::string(core::name_of(static_cast<Verdict>(i)))))
        << core::name_of(static_cast<Verdict>(i));
  for (int i = 0; i <= static_cast<int>(core::Outcome::unmeasured); ++i)
    EXPECT_TRUE(outcomes.contains(std::string(core::name_of(static_cast<core::Outcome>(i)))))
        << core::name_of(static_cast<core::Outcome>(i));
}

TEST(VerdictTable, OutcomesAndExitCodesAreThoseOfTheCode) {
  for (const MarkdownRow& row : test::verdict_table()) {
    const std::string& defect = row.at("defect or finding");
    const Situation situation = situation_of(row);
    const core::Finished finished = finished_run(situation, device_of(row));
    EXPECT_EQ(core::name_of(finished.outcome), only_word(row.at("outcome of a run"))) << defect;
    EXPECT_EQ(std::to_string(static_cast<int>(core::exit_code_for(finished.outcome))), row.at("generate"))
        << defect;
    if (situation.evaluation.verdict == Verdict::reply_invalid) {
      EXPECT_EQ(row.at("eval"), "-") << "eval judges a file, not a reply";
      continue;
    }
    const core::ExitCode eval = eval_exit_code(situation.evaluation, device_of(row), std::nullopt);
    EXPECT_EQ(std::to_string(static_cast<int>(eval)), row.at("eval")) << defect;
  }
}

}  // namespace
}  // namespace kgen::cli
