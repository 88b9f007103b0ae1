#include "cli/batch_text.hpp"

#include <gtest/gtest.h>

#include "cli/live_table.hpp"
#include "support/golden.hpp"
#include "util/json.hpp"

namespace kgen::cli {
namespace {

batch::ItemEnd ended(int item, core::ExitCode code, const std::string& outcome,
                     const std::string& problem = "") {
  batch::ItemEnd end;
  end.item = item;
  end.code = code;
  end.outcome = outcome;
  end.problem = problem;
  end.candidates = 8;
  if (code == core::ExitCode::ok) {
    end.best = 3;
    end.time_us = 79.1;
    end.speedup = 1.32;
    end.speedup_low = 1.3;
    end.speedup_high = 1.34;
  }
  end.cost_usd = 0.125 * item;
  return end;
}

/// Six tasks, one of each standing.
struct Example {
  Example() {
    record.dollars = 20;
    for (int i = 1; i <= 6; ++i)
      record.items.push_back({i, {}, "softmax bf16 rows=" + std::to_string(i), "000" + std::to_string(i)});
    state.ended[1] = ended(1, core::ExitCode::ok, "target_met");
    state.ended[2] = ended(2, core::ExitCode::not_met, "keep_library");
    state.ended[3] = ended(3, core::ExitCode::provider, "", "anthropic: HTTP 529 overloaded\x1b[31m");
    state.ended[4] = ended(4, core::ExitCode::waiting, "", "waiting for reply.md");
    state.ended[4].cost_complete = false;
    state.started.insert(5);
  }
  BatchSummary summary() const {
    return {record, state, "runs/batch-ops", {core::ExitCode::interrupted, "interrupted"}};
  }
  batch::BatchRecord record;
  batch::BatchState state;
};

TEST(BatchText, ShowsEveryTaskAndSumsUp) {
  EXPECT_EQ(test::compare_golden("cli/batch_summary.txt", batch_text(Example().summary(), false)), "");
}

TEST(BatchText, ATaskIsThatOfItsRunWhereItHasBegun) {
  Example example;
  example.state.ended[1].task = "softmax bf16 rows=7";  // as the emulator has it
  EXPECT_NE(batch_text(example.summary(), false).find("1  softmax bf16 rows=7 "), std::string::npos);
  EXPECT_EQ(batch_json(example.summary()).at("items").at(0).at("task"), "softmax bf16 rows=7");
  EXPECT_EQ(batch_json(example.summary()).at("items").at(1).at("task"), "softmax bf16 rows=2");
  EXPECT_TRUE(
      end_text(example.record.items[0], example.state.ended[1]).starts_with("[1] softmax bf16 rows=7: "));
}

TEST(BatchText, TheJsonHoldsEveryTaskAndTheTotals) {
  const nlohmann::json json = batch_json(Example().summary());
  EXPECT_EQ(json.at("items").size(), 6u);
  EXPECT_EQ(json.at("items").at(4).at("standing"), "interrupted");
  EXPECT_EQ(json.at("items").at(5).at("standing"), "not started");
  EXPECT_EQ(json.at("outcomes").at("keep_library"), 1);
  EXPECT_DOUBLE_EQ(json.at("cost_usd").get<double>(), 1.25);
  EXPECT_EQ(json.at("cost_complete"), false);
  EXPECT_EQ(json.at("exit_code"), 130);
}

TEST(LiveTable, IsDrawnOverWhatWasShown) {
  EXPECT_EQ(redraw_text(0, {"one", "two"}, 80), "one\ntwo\n");
  EXPECT_EQ(redraw_text(2, {"three"}, 80), "\x1b[2A\r\x1b[Jthree\n");
  EXPECT_EQ(redraw_text(1, {}, 80), "\x1b[1A\r\x1b[J");
  EXPECT_EQ(redraw_text(0, {"a longer line", "b\x1b[2J"}, 4), "a lo\nb\n");
}

}  // namespace
}  // namespace kgen::cli
