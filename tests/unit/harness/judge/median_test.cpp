#include "harness/judge/median.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace kgen::judge {
namespace {

// David and Nagaraja, table of ranks for 95%: n = 10 -> (2, 9), 20 -> (6, 15), 50 -> (18, 33), 100 -> (40,
// 61), from 1.
TEST(MedianInterval, UsesTheRanksOfTheTables) {
  EXPECT_EQ(lower_rank(10), 1);
  EXPECT_EQ(lower_rank(20), 5);
  EXPECT_EQ(lower_rank(50), 17);
  EXPECT_EQ(lower_rank(100), 39);
}

TEST(MedianInterval, GivesTheWholeRangeBelowSixSamples) {
  const auto interval = median_interval({3, 1, 2});
  EXPECT_EQ(interval.median_us, 2);
  EXPECT_EQ(interval.low_us, 1);
  EXPECT_EQ(interval.high_us, 3);
  EXPECT_EQ(interval.samples, 3);
}

TEST(MedianInterval, HasNoMedianWithoutSamples) {
  EXPECT_EQ(median_interval({}).samples, 0);
  EXPECT_TRUE(std::isinf(relative_half_width(median_interval({}))));
}

// Skewed samples with outliers, as times are: the interval holds the true median at least 95% of the time,
// and is not much wider than it need be.
TEST(MedianInterval, CoversTheMedianOfSkewedSamples) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> tail(1.0);
  std::bernoulli_distribution outlier(0.02);
  const double true_median =
      100 + std::log(2.0) * 0.98 + 0.02;  // close to it: outliers only lengthen the tail
  for (const int n : {8, 25, 60, 200}) {
    int covered = 0;
    constexpr int kRounds = 4000;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<double> samples;
      for (int i = 0; i < n; ++i) samples.push_back(100 + tail(random) + (outlier(random) ? 50 : 0));
      const auto interval = median_interval(samples);
      covered += interval.low_us <= true_median && true_median <= interval.high_us;
    }
    EXPECT_GE(covered, kRounds * 0.94) << n;
    EXPECT_LE(covered, kRounds * 0.997) << n;
  }
}

TEST(WidenedInterval, MovesBothEndsOutByAPartOfThem) {
  const auto interval = widened({100, 99, 102, 20}, 0.002);
  EXPECT_DOUBLE_EQ(interval.median_us, 100);
  EXPECT_DOUBLE_EQ(interval.low_us, 99 * 0.998);
  EXPECT_DOUBLE_EQ(interval.high_us, 102 * 1.002);
  EXPECT_EQ(interval.samples, 20);
}

}  // namespace
}  // namespace kgen::judge
