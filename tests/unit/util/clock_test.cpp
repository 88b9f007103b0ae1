#include "util/clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kgen::util {
namespace {

TEST(Clock, TextsHaveTheirForms) {
  EXPECT_THAT(
      utc_now_text(),
      testing::MatchesRegex("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z"));
  const std::string compact = compact_now_text();
  EXPECT_EQ(compact.size(), 15u);
  EXPECT_EQ(compact[8], '-');
}

TEST(Clock, SeedsDiffer) {
  EXPECT_NE(random_seed(), random_seed());
}

TEST(Clock, StopwatchNeverRunsBackwards) {
  const Stopwatch watch;
  const double first = watch.elapsed_ms();
  EXPECT_GE(first, 0);
  EXPECT_GE(watch.elapsed_ms(), first);
}

}  // namespace
}  // namespace kgen::util
