#include <gtest/gtest.h>

#include "fake_http.hpp"

namespace kgen::llm {
namespace {

struct Asked {
  Result<Reply> reply;
  std::vector<FailedAttempt> failed;
};

Asked ask(FakeWorld& world) {
  std::vector<FailedAttempt> failed;
  Request request;
  request.prompt.user = "hi";
  request.attempt_failed = [&](const FailedAttempt& attempt) { failed.push_back(attempt); };
  Result<Reply> reply = make_fake_client(world)->ask(request);
  return {std::move(reply), std::move(failed)};
}

const FakeAnswer kCut = {200, {}, {text_chunk("the first half")}, TransferEnd::cut, "connection reset"};

TEST(HttpClientRetry, WaitsAsThePolicySaysAndSucceeds) {
  FakeWorld world{
      {{529}, {429, {{"retry-after", "3"}}}, {0, {}, {}, TransferEnd::connection_failed}, good_answer("ok")}};
  const Asked asked = ask(world);
  ASSERT_TRUE(asked.reply) << asked.reply.error().text();
  EXPECT_EQ(asked.reply->text, "ok");
  EXPECT_EQ(asked.reply->retries, 3);
  EXPECT_EQ(world.sleeps, (std::vector<double>{0.5, 3, 2}));
  EXPECT_DOUBLE_EQ(asked.reply->seconds, 2 + 5.5);
  EXPECT_TRUE(asked.reply->usage_complete);
  EXPECT_EQ(asked.reply->usage.input_tokens, 100);
  ASSERT_EQ(asked.failed.size(), 3u);
  EXPECT_EQ(asked.failed[1].wait_s, 3);
  EXPECT_FALSE(asked.failed[1].possibly_paid);
}

TEST(HttpClientRetry, GivesUpAndSaysHowOftenItTried) {
  FakeWorld world{{{500, {}, {"{\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}}"}}}};
  const Asked asked = ask(world);
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.reply.error().kind, ErrorKind::provider);
  EXPECT_EQ(asked.reply.error().message,
            "openai-chat at https://example.test/v1: HTTP 500 server_error: boom (after 5 retries)");
  EXPECT_EQ(world.requests.size(), 6u);
  EXPECT_FALSE(asked.failed.back().wait_s);
}

TEST(HttpClientRetry, DoesNotRepeatWhatCannotHelp) {
  for (const int status : {400, 401, 403, 404, 413}) {
    FakeWorld world{{{status}}};
    const Asked asked = ask(world);
    ASSERT_FALSE(asked.reply);
    EXPECT_FALSE(asked.reply.error().hint.empty()) << status;
    EXPECT_EQ(world.requests.size(), 1u) << status;
  }
}

TEST(HttpClientRetry, TakesAnEmptyAccountForFinal) {
  FakeWorld world{{{429, {}, {"{\"error\":{\"message\":\"m\",\"code\":\"insufficient_quota\"}}"}}}};
  const Asked asked = ask(world);
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(world.requests.size(), 1u);
  EXPECT_NE(asked.reply.error().hint.find("no credit"), std::string::npos);
}

TEST(HttpClientRetry, SuspendsInsteadOfALongSleep) {
  FakeWorld world{{{429, {{"retry-after", "1800"}}}}};
  const Asked asked = ask(world);
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.reply.error().kind, ErrorKind::provider);
  EXPECT_NE(asked.reply.error().message.find("asks to wait 1800 s"), std::string::npos);
  EXPECT_EQ(asked.reply.error().hint, "resume the run in 1800 s");
  EXPECT_TRUE(world.sleeps.empty());
}

TEST(HttpClientRetry, AsksAgainForAReplyThatWasCutAndCountsBoth) {
  FakeWorld world{{kCut, good_answer("whole")}};
  const Asked asked = ask(world);
  ASSERT_TRUE(asked.reply);
  EXPECT_EQ(asked.reply->text, "whole");
  EXPECT_EQ(asked.reply->stop, StopReason::end_turn);
  EXPECT_FALSE(asked.reply->usage_complete);
  EXPECT_EQ(asked.reply->usage.output_tokens, 10 + 4);
  ASSERT_EQ(asked.failed.size(), 1u);
  EXPECT_TRUE(asked.failed[0].possibly_paid);
  EXPECT_EQ(asked.failed[0].usage.output_tokens, 4);
  EXPECT_TRUE(asked.failed[0].cost_usd);
  EXPECT_NE(asked.failed[0].problem.find("cut off after 14 bytes: connection reset"), std::string::npos);
}

TEST(HttpClientRetry, KeepsTheLongestPartWhereEveryAttemptIsCut) {
  FakeWorld world{{kCut, {200, {}, {text_chunk("short")}}}};
  const Asked asked = ask(world);
  ASSERT_TRUE(asked.reply);
  EXPECT_EQ(asked.reply->text, "the first half");
  EXPECT_EQ(asked.reply->stop, StopReason::truncated);
  EXPECT_EQ(world.requests.size(), 3u);
}

TEST(HttpClientRetry, FailsWhereEveryAttemptIsEmpty) {
  FakeWorld world{{{200, {}, {kDoneChunk}}}};
  const Asked asked = ask(world);
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(world.requests.size(), 3u);
  EXPECT_NE(asked.reply.error().message.find("the stream ended before the reply did"), std::string::npos);
}

TEST(HttpClientRetry, TellsADeadServerFromASlowModel) {
  FakeWorld dead{{{200, {}, {text_chunk("par")}, TransferEnd::idle}}};
  const Asked silent = ask(dead);
  ASSERT_TRUE(silent.reply);
  EXPECT_EQ(silent.reply->stop, StopReason::truncated);
  EXPECT_NE(silent.failed[0].problem.find("no byte for 300 s"), std::string::npos);
  EXPECT_EQ(dead.requests.size(), 3u);

  FakeWorld slow{{{200, {}, {text_chunk("par")}, TransferEnd::too_slow}}};
  const Asked late = ask(slow);
  ASSERT_TRUE(late.reply);
  EXPECT_EQ(late.reply->stop, StopReason::truncated);
  EXPECT_EQ(slow.requests.size(), 1u);
}

TEST(HttpClientRetry, TakesAReplyThatEndedBeforeTheConnectionBroke) {
  FakeWorld world{{{200, {}, {text_chunk("all"), finish_chunk("stop")}, TransferEnd::cut, "reset"}}};
  const Asked asked = ask(world);
  ASSERT_TRUE(asked.reply);
  EXPECT_EQ(asked.reply->stop, StopReason::end_turn);
  EXPECT_EQ(world.requests.size(), 1u);
}

TEST(HttpClientRetry, JudgesAnErrorInsideAStreamByItsCode) {
  const auto inside = [](const std::string& error) {
    return FakeAnswer{200, {}, {text_chunk("par"), "data: {\"error\":" + error + "}\n\n"}};
  };
  FakeWorld busy{{inside("{\"message\":\"m\",\"code\":503}"), good_answer("ok")}};
  EXPECT_EQ(ask(busy).reply.value().text, "ok");

  FakeWorld wrong{{inside("{\"message\":\"too long\",\"code\":\"context_length_exceeded\"}")}};
  const Asked asked = ask(wrong);
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(wrong.requests.size(), 1u);
  EXPECT_NE(asked.reply.error().message.find("HTTP 400 inside the stream"), std::string::npos);
}

}  // namespace
}  // namespace kgen::llm
