#include "llm/http_client.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fake_http.hpp"

namespace kgen::llm {
namespace {

Request ask_for(std::string user) {
  Request request;
  request.prompt.user = std::move(user);
  return request;
}

TEST(HttpClient, GivesTheReplyWithUsageAndCost) {
  FakeWorld world{{good_answer("hello")}};
  world.answers[0].headers["x-request-id"] = "req-7";
  const Reply reply = make_fake_client(world)->ask(ask_for("hi")).value();
  EXPECT_EQ(reply.text, "hello");
  EXPECT_EQ(reply.stop, StopReason::end_turn);
  EXPECT_EQ(reply.usage.input_tokens, 100);
  EXPECT_EQ(reply.usage.output_tokens, 10);
  EXPECT_TRUE(reply.usage_complete);
  ASSERT_TRUE(reply.cost_usd);
  EXPECT_DOUBLE_EQ(*reply.cost_usd, (100 * 2.0 + 10 * 10.0) / 1e6);
  EXPECT_EQ(reply.model, "gpt-6.1-sol");
  EXPECT_EQ(reply.request_id, "req-7");
  EXPECT_EQ(reply.retries, 0);
  EXPECT_DOUBLE_EQ(reply.seconds, 2);
  EXPECT_FALSE(reply.prompt_matches);
}

TEST(HttpClient, PostsToTheBaseUrlWithTheKey) {
  FakeWorld world{{good_answer("x")}};
  ASSERT_TRUE(make_fake_client(world)->ask(ask_for("hi")));
  ASSERT_EQ(world.requests.size(), 1u);
  EXPECT_EQ(world.requests[0].url, "https://example.test/v1/chat/completions");
  const std::pair<std::string, std::string> key = {"Authorization", "Bearer planted-key"};
  const auto& headers = world.requests[0].headers;
  EXPECT_EQ(std::count(headers.begin(), headers.end(), key), 1);
}

TEST(HttpClient, EstimatesUsageThatTheServerDoesNotSend) {
  FakeWorld world{{{200, {}, {text_chunk("12345678"), finish_chunk("stop"), kDoneChunk}}}};
  const Reply reply = make_fake_client(world)->ask(ask_for("abcd")).value();
  EXPECT_FALSE(reply.usage_complete);
  EXPECT_EQ(reply.usage.input_tokens, 1);
  EXPECT_EQ(reply.usage.output_tokens, 2);
}

TEST(HttpClient, HasNoCostForAModelWithoutAPrice) {
  FakeWorld world{{good_answer("x")}};
  world.answers[0].chunks.insert(world.answers[0].chunks.begin(), "data: {\"choices\":[]}\n\n");
  world.answers[0].chunks[1] =
      "data: {\"model\":\"my-own\",\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";
  EXPECT_FALSE(make_fake_client(world)->ask(ask_for("hi")).value().cost_usd);
}

TEST(HttpClient, ReportsLengthAndRefusalAsSuch) {
  for (const auto& [reason, stop] :
       {std::pair("length", StopReason::max_tokens), std::pair("content_filter", StopReason::refusal)}) {
    FakeWorld world{{{200, {}, {text_chunk("half"), finish_chunk(reason), kDoneChunk}}}};
    const Reply reply = make_fake_client(world)->ask(ask_for("hi")).value();
    EXPECT_EQ(reply.stop, stop);
    EXPECT_EQ(reply.text, "half");
  }
}

TEST(HttpClient, TellsProgressInTokens) {
  FakeWorld world{{{200, {}, {text_chunk("12345678"), text_chunk("1234"), finish_chunk("stop")}}}};
  Request request = ask_for("hi");
  std::vector<std::int64_t> seen;
  request.progress = [&](std::int64_t tokens) { seen.push_back(tokens); };
  ASSERT_TRUE(make_fake_client(world)->ask(request));
  EXPECT_EQ(seen, (std::vector<std::int64_t>{2, 3}));
}

TEST(HttpClient, StopsWhereItIsCancelled) {
  FakeWorld world{{good_answer("x")}};
  Request request = ask_for("hi");
  std::vector<FailedAttempt> failed;
  request.cancelled = [&] { return !world.requests.empty(); };
  request.attempt_failed = [&](const FailedAttempt& attempt) { failed.push_back(attempt); };
  const auto reply = make_fake_client(world)->ask(request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::interrupted);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_TRUE(failed[0].possibly_paid);
}

TEST(HttpClient, StopsWhereItIsCancelledWhileWaiting) {
  FakeWorld world{{{500}}};
  Request request = ask_for("hi");
  request.cancelled = [&] { return !world.sleeps.empty(); };
  const auto reply = make_fake_client(world)->ask(request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(world.requests.size(), 1u);
}

TEST(HttpClient, RefusesARedirect) {
  FakeWorld world{{{302, {{"location", "https://elsewhere.test/?token=plantedtoken"}}}}};
  const auto reply = make_fake_client(world)->ask(ask_for("hi"));
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message.find("302, a redirect to https://elsewhere.test/"), std::string::npos);
  EXPECT_EQ(reply.error().text().find("plantedtoken"), std::string::npos);
  EXPECT_EQ(world.requests.size(), 1u);
}

TEST(HttpClient, SaysWhatCameInsteadOfAStream) {
  FakeWorld world{{{200, {{"content-type", "text/html"}}, {"<html>log in</html>"}}}};
  const auto reply = make_fake_client(world)->ask(ask_for("hi"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::provider);
  EXPECT_NE(reply.error().message.find("<html>log in</html> (content type text/html)"), std::string::npos);
  EXPECT_EQ(world.requests.size(), 1u);
}

TEST(HttpClient, NeverShowsASecret) {
  const std::string echo = "got Authorization: Bearer planted-key and x-api-key: planted-key, planted-key";
  const std::string inside = "data: {\"error\":{\"message\":\"" + echo + "\",\"code\":\"planted-key\"}}\n\n";
  const std::vector<FakeAnswer> answers = {
      {401, {}, {"{\"error\":{\"message\":\"" + echo + "\"}}"}},
      {400, {}, {echo}},
      {500, {{"x-should-retry", "false"}}, {echo}},
      {429, {{"retry-after", "9999"}}, {echo}},
      {302, {{"location", "https://planted-key@host/"}}},
      {200, {{"content-type", "planted-key"}}, {echo}},
      {200, {}, {inside}},
      {200, {}, {text_chunk("x")}, TransferEnd::cut, echo},
      {0, {}, {}, TransferEnd::connection_failed, echo},
  };
  for (const FakeAnswer& answer : answers) {
    FakeWorld world{{answer}};
    Request request = ask_for("hi");
    std::string shown;
    request.attempt_failed = [&](const FailedAttempt& attempt) { shown += attempt.problem + "\n"; };
    const auto reply = make_fake_client(world)->ask(request);
    if (!reply) shown += reply.error().text();
    EXPECT_FALSE(shown.empty()) << answer.status;
    EXPECT_EQ(shown.find("planted"), std::string::npos) << shown;
  }
}

}  // namespace
}  // namespace kgen::llm
