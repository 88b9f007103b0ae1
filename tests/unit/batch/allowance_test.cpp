#include "batch/allowance.hpp"

#include <gtest/gtest.h>

namespace kgen::batch {
namespace {

TEST(Allowance, IsTheRunsOwnLimitWhereTheBatchHasNone) {
  EXPECT_FALSE(allow({}, std::nullopt).dollars);
  EXPECT_DOUBLE_EQ(allow({}, 2).dollars.value(), 2);
}

TEST(Allowance, IsAnEqualShareOfWhatIsLeft) {
  EXPECT_DOUBLE_EQ(allow({10, 4, 0, 3}, std::nullopt).dollars.value(), 2);
  EXPECT_DOUBLE_EQ(allow({10, 4, 0, 1}, std::nullopt).dollars.value(), 6);
}

TEST(Allowance, IsTheOwnLimitAsFarAsTheMoneyGoes) {
  EXPECT_DOUBLE_EQ(allow({10, 4, 0, 3}, 5).dollars.value(), 5);
  EXPECT_DOUBLE_EQ(allow({10, 9, 0, 3}, 5).dollars.value(), 1);
}

TEST(Allowance, CountsWhatTheRunHasSpentBefore) {
  EXPECT_DOUBLE_EQ(allow({10, 4, 2, 2}, std::nullopt).dollars.value(), 2 + 2);
  EXPECT_DOUBLE_EQ(allow({10, 4, 2, 2}, 3).dollars.value(), 3);
  EXPECT_DOUBLE_EQ(allow({10, 4, 2, 2}, 1).dollars.value(), 2);  // has spent more than it may: nothing more
}

TEST(Allowance, IsRefusedWhereNothingIsLeft) {
  EXPECT_FALSE(allow({10, 10, 0, 1}, std::nullopt).enough);
  EXPECT_FALSE(allow({10, 9.9995, 0, 1}, 5).enough);
  EXPECT_FALSE(allow({10, 12, 0, 1}, 5).enough);
}

}  // namespace
}  // namespace kgen::batch
