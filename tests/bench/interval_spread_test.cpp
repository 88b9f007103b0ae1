#include "bench/interval_spread.hpp"

#include <gtest/gtest.h>

#include "util/json.hpp"

namespace kgen {
namespace {

TEST(IntervalSpread, CountsWhatTheIntervalsHold) {
  const IntervalSpread spread =
      spread_of({{100, 99, 101, 50}, {100.5, 99.5, 101.5, 50}, {110, 109, 111, 50}});
  EXPECT_DOUBLE_EQ(spread.grand_median_us, 100.5);
  EXPECT_NEAR(spread.range_percent, 10 / 1.005, 1e-9);
  EXPECT_NEAR(spread.mean_width_percent, 2 / 1.005, 1e-9);
  EXPECT_EQ(spread.cover_grand_median, 2);
  EXPECT_EQ(spread.pairs, 6);
  EXPECT_EQ(spread.pairs_cover, 2);
  EXPECT_EQ(spread.pairs_overlap, 2);
  EXPECT_EQ(to_json(spread).at("processes"), 3);
  EXPECT_NE(spread_text(spread).find("2 of 3 intervals hold the grand median"), std::string::npos);
}

TEST(IntervalSpread, OneProcessHasNoSpread) {
  const IntervalSpread spread = spread_of({{50, 49, 51, 10}});
  EXPECT_EQ(spread.range_percent, 0);
  EXPECT_EQ(spread.deviation_percent, 0);
  EXPECT_EQ(spread.pairs, 0);
}

}  // namespace
}  // namespace kgen
