#include "llm/retry_policy.hpp"

#include <gtest/gtest.h>

namespace kgen::llm {
namespace {

using Action = RetryDecision::Action;

constexpr std::int64_t kNow = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110)

RetryDecision decide(int status, Headers headers = {}, int retries = 0, double random = 0,
                     std::string code = "") {
  return next_delay({5, 120}, retries, {status, std::move(code), std::move(headers)}, random, kNow);
}

TEST(RetryPolicy, RetriesTheStatusesThatMayPass) {
  for (const int status : {0, 408, 409, 429, 500, 502, 503, 504, 529}) {
    EXPECT_EQ(decide(status).action, Action::retry) << status;
  }
  for (const int status : {400, 401, 402, 403, 404, 413, 422}) {
    EXPECT_EQ(decide(status).action, Action::give_up) << status;
  }
}

TEST(RetryPolicy, LetsTheServerSayWhetherToRetry) {
  EXPECT_EQ(decide(400, {{"x-should-retry", "true"}}).action, Action::retry);
  EXPECT_EQ(decide(503, {{"x-should-retry", "false"}}).action, Action::give_up);
  EXPECT_EQ(decide(503, {{"x-should-retry", "perhaps"}}).action, Action::retry);
}

TEST(RetryPolicy, DoublesTheDelayUpToEightSeconds) {
  const double expected[] = {0.5, 1, 2, 4, 8, 8};
  for (int retries = 0; retries < 6; ++retries) {
    const RetryDecision decision = next_delay({10, 120}, retries, {500, "", {}}, 0, kNow);
    EXPECT_DOUBLE_EQ(decision.delay_s, expected[retries]);
  }
}

TEST(RetryPolicy, TakesUpToAQuarterOffByChance) {
  EXPECT_DOUBLE_EQ(decide(500, {}, 2, 0.5).delay_s, 2 * 0.875);
}

TEST(RetryPolicy, HonoursRetryAfter) {
  EXPECT_DOUBLE_EQ(decide(429, {{"retry-after", "7"}}, 3, 0.9).delay_s, 7);
  EXPECT_DOUBLE_EQ(decide(429, {{"retry-after", "0"}}, 3).delay_s, 0);
  EXPECT_DOUBLE_EQ(decide(429, {{"retry-after-ms", "250"}, {"retry-after", "7"}}).delay_s, 0.25);
  EXPECT_DOUBLE_EQ(decide(429, {{"retry-after", "Sun, 06 Nov 1994 08:49:57 GMT"}}).delay_s, 20);
  EXPECT_DOUBLE_EQ(decide(429, {{"retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"}}).delay_s, 0);
}

TEST(RetryPolicy, FallsBackWhereRetryAfterIsNonsense) {
  for (const char* value : {"soon", "", "-5", "1e9", "nan", "Sun, 06 Nov"}) {
    EXPECT_DOUBLE_EQ(decide(429, {{"retry-after", value}}).delay_s, 0.5) << value;
  }
}

TEST(RetryPolicy, SuspendsWhereTheServerAsksForMoreThanTheCap) {
  const RetryDecision decision = decide(429, {{"retry-after", "3600"}});
  EXPECT_EQ(decision.action, Action::suspend);
  EXPECT_DOUBLE_EQ(decision.delay_s, 3600);
  EXPECT_EQ(decide(429, {{"retry-after", "120"}}).action, Action::retry);
  EXPECT_EQ(decide(400, {{"retry-after", "3600"}}).action, Action::give_up);
}

TEST(RetryPolicy, GivesUpAfterTheLastRetry) {
  EXPECT_EQ(decide(500, {}, 4).action, Action::retry);
  EXPECT_EQ(decide(500, {}, 5).action, Action::give_up);
}

TEST(RetryPolicy, TakesAnEmptyAccountForFinal) {
  for (const char* code : {"insufficient_quota", "enforced_spend_limit_reached"}) {
    EXPECT_EQ(decide(429, {{"retry-after", "1"}}, 0, 0, code).action, Action::give_up) << code;
  }
  EXPECT_EQ(decide(429, {}, 0, 0, "slow_down").action, Action::retry);
}

}  // namespace
}  // namespace kgen::llm
