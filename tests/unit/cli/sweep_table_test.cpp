#include "cli/sweep_table.hpp"

#include <gtest/gtest.h>

#include "support/golden.hpp"

namespace kgen::cli {
namespace {

using core::Verdict;

core::SweepRecord some_sweep() {
  core::SweepRecord sweep;
  sweep.feasible = 6;
  sweep.before = {{"BM", 64}};
  sweep.variant = {{"BM", 128}};
  sweep.reason = "1.5 times as fast as BM=64 in the sweep";
  const auto time = [](double us) { return core::Interval{us, us - 1, us + 1, 16}; };
  sweep.reply.variants = {
      {{{"BM", 64}}, Verdict::correct, "", "", time(150), false, 40, 0},
      {{{"BM", 256}}, Verdict::wrong_result, "", "rows=3:\n\x1b[31mwrong", std::nullopt, false, 255, 512},
      {{{"BM", 32}}, Verdict::correct, "", "", time(1400), true, 24, 0},
      {{{"BM", 128}}, Verdict::correct, "", "", time(100), false, 80, 0},
      {{{"BM", 512}}, Verdict::compile_error, "", "too much shared memory", std::nullopt, false, -1, -1}};
  sweep.reply.not_tried = 1;
  sweep.reply.method = "stream";
  sweep.reply.ms = 2400;
  return sweep;
}

TEST(SweepTable, FastestFirstAndRejectedLast) {
  EXPECT_EQ(test::compare_golden("cli/sweep_table.txt",
                                 sweep_summary(some_sweep()) + "\n\n" + sweep_table(some_sweep())),
            "");
}

}  // namespace
}  // namespace kgen::cli
