#include "util/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace kgen::util {
namespace {

using nlohmann::json;

TEST(CheckedInteger, TakesEveryNumberThatTheTypeHolds) {
  EXPECT_EQ(json(-2147483648LL).get<int>(), -2147483647 - 1);
  EXPECT_EQ(json(4294967295U).get<unsigned>(), 4294967295U);
  EXPECT_EQ(json(INT64_MIN).get<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(json(UINT64_MAX).get<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(json::parse("2.75").get<int>(), 2);  // fractions are cut
}

TEST(CheckedInteger, RefusesWholeNumbersBeyondTheType) {
  EXPECT_THROW(json(std::int64_t{1} << 40).get<int>(), json::out_of_range);
  EXPECT_THROW(json(-1).get<unsigned>(), json::out_of_range);
  EXPECT_THROW(json(UINT64_MAX).get<std::int64_t>(), json::out_of_range);
}

TEST(CheckedInteger, RefusesFloatingPointNumbersBeyondTheType) {
  EXPECT_THROW(json(1e300).get<std::int64_t>(), json::out_of_range);
  EXPECT_THROW(json(9223372036854775808.0).get<std::int64_t>(), json::out_of_range);  // 2^63
  EXPECT_THROW(json(-1.0).get<std::uint64_t>(), json::out_of_range);
  EXPECT_THROW(json(2147483648.0).get<int>(), json::out_of_range);
  EXPECT_EQ(json(9223372036854774784.0).get<std::int64_t>(), 9223372036854774784);  // the double before 2^63
  EXPECT_EQ(json(-9223372036854775808.0).get<std::int64_t>(), INT64_MIN);
}

TEST(CheckedInteger, ReadsEveryFieldThatNamesAnInteger) {
  int field = 7;
  EXPECT_THROW(json({{"n", 1e18}}).at("n").get_to(field), json::out_of_range);
  EXPECT_EQ(json({{"n", 5}}).value("n", 0), 5);
  EXPECT_THROW(json({{"n", 1e18}}).value("n", 0), json::out_of_range);
}

}  // namespace
}  // namespace kgen::util
