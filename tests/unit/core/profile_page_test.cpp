#include "core/profile_page.hpp"

#include <gtest/gtest.h>

namespace kgen::core {
namespace {

std::string sampled(const std::string& reason) {
  return std::string(metrics::kSamples) + reason;
}

KernelProfile sampled_kernel() {
  KernelProfile kernel;
  kernel.kernel = "k";
  kernel.lines = {{4, {{sampled("wait"), 10}, {sampled("wait_not_issued"), 9}}},
                  {9,
                   {{sampled("long_scoreboard"), 60},
                    {sampled("barrier"), 20},
                    {sampled("long_scoreboard_not_issued"), 60}}},
                  {12, {{sampled("wait"), 1}}},
                  {0, {{sampled("wait"), 9}}}};
  return kernel;
}

TEST(HotLines, AreOrderedByTheirShareOfAllSamples) {
  const auto lines = hot_lines(sampled_kernel());
  ASSERT_EQ(lines.size(), 2u);  // line 12 has 1%, line 0 is no line
  EXPECT_EQ(lines[0].line, 9);
  EXPECT_DOUBLE_EQ(lines[0].share, 0.8);
  ASSERT_EQ(lines[0].reasons.size(), 2u);  // what was not issued is counted already
  EXPECT_EQ(lines[0].reasons[0].first, "long_scoreboard");
  EXPECT_DOUBLE_EQ(lines[0].reasons[0].second, 0.75);
  EXPECT_EQ(lines[1].line, 4);
  EXPECT_EQ(hot_lines(sampled_kernel(), 1).size(), 1u);
  EXPECT_TRUE(hot_lines({}).empty());
}

TEST(StallShares, AreOfTheTimeBetweenTwoInstructions) {
  KernelProfile kernel;
  kernel.metrics = {{"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 1},
                    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 2.95},
                    {"smsp__average_warps_issue_stalled_misc_per_issue_active.ratio", 0.05}};
  const auto shares = stall_shares(kernel);
  ASSERT_EQ(shares.size(), 2u);
  EXPECT_EQ(shares[0].first, "barrier");
  EXPECT_NEAR(shares[0].second, 0.7375, 1e-12);
}

TEST(KernelPage, SaysOnlyWhatWasCounted) {
  KernelProfile kernel;
  EXPECT_TRUE(kernel_page(kernel).empty());
  kernel.metrics = {{"gpu__time_duration.sum", 64200},
                    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 91.6}};
  const auto page = kernel_page(kernel);
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].label, "time");
  EXPECT_EQ(page[0].text, "64.2 us under the profiler");
  EXPECT_EQ(page[1].text, "DRAM 92%");
}

TEST(SourceLine, IsTheLineWithoutItsMargins) {
  EXPECT_EQ(source_line("a\n\t b \r\nc", 1), "a");
  EXPECT_EQ(source_line("a\n\t b \r\nc", 2), "b");
  EXPECT_EQ(source_line("a\n\t b \r\nc", 3), "c");
  EXPECT_EQ(source_line("a\nb", 9), "");
  EXPECT_EQ(source_line("a\n   \n", 2), "");
}

}  // namespace
}  // namespace kgen::core
