// Each HTTP client against aimock, a server nobody here wrote. with_aimock.sh starts it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "llm/anthropic_codec.hpp"
#include "llm/curl_transport.hpp"
#include "llm/http_client.hpp"
#include "llm/openai_chat_codec.hpp"
#include "llm/openai_codec.hpp"

namespace kgen::llm {
namespace {

Result<std::unique_ptr<Codec>> make_codec(const std::string& provider, const std::string& extra_body) {
  if (provider == "anthropic") {
    AnthropicSettings settings;
    settings.extra_body = extra_body;
    return make_anthropic_codec(std::move(settings));
  }
  if (provider == "openai") return make_openai_codec({true, extra_body});
  OpenAiChatSettings settings;
  settings.extra_body = extra_body;
  return make_openai_chat_codec(std::move(settings));
}

class Aimock : public testing::TestWithParam<std::string> {
 protected:
  Result<Reply> ask(const std::string& user, const std::string& extra_body = "") {
    const char* url = std::getenv("KGEN_AIMOCK_URL");
    if (url == nullptr) return fail(ErrorKind::bad_input, "KGEN_AIMOCK_URL is not set: run with_aimock.sh");
    HttpClientParts parts;
    parts.codec = make_codec(GetParam(), extra_body).value();
    parts.transport = make_curl_transport({});
    parts.endpoint.base_url = url + std::string(GetParam() == "anthropic" ? "" : "/v1");
    parts.endpoint.headers = {
        {GetParam() == "anthropic" ? "x-api-key" : "Authorization", "Bearer sk-planted-key"}};
    parts.endpoint.secrets = {"sk-planted-key"};
    parts.endpoint.idle_timeout_s = 10;
    parts.surroundings = real_surroundings();
    parts.surroundings.sleep = [this](double seconds, const std::function<bool()>&) {
      sleeps_.push_back(seconds);
      return true;
    };
    Request request;
    request.prompt = {"You write kernels.", user};
    request.options.model = "some-model";
    request.options.max_output_tokens = 1000;
    return make_http_client(std::move(parts))->ask(request);
  }

  std::vector<double> sleeps_;
};

INSTANTIATE_TEST_SUITE_P(Every, Aimock, testing::Values("anthropic", "openai", "openai-chat"),
                         [](const auto& provider) {
                           return provider.param.substr(0, provider.param.find('-')) +
                                  (provider.param.find('-') == std::string::npos ? "" : "_chat");
                         });

TEST_P(Aimock, StreamsAReplyWithUsage) {
  const auto reply = ask("hello");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "Hello to you too, in several chunks.");
  EXPECT_EQ(reply->stop, StopReason::end_turn);
  EXPECT_EQ(reply->usage.input_tokens, 10);
  EXPECT_EQ(reply->usage.output_tokens, 5);
  EXPECT_TRUE(reply->usage_complete);
  EXPECT_TRUE(reply->request_id.starts_with("req-"));
}

TEST_P(Aimock, SendsAWholeReplyInsteadOfAStream) {
  const auto reply = ask("hello", R"({"stream": false, "stream_options": null})");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "Hello to you too, in several chunks.");
  EXPECT_EQ(reply->stop, StopReason::end_turn);
  EXPECT_EQ(reply->usage.output_tokens, 5);
}

TEST_P(Aimock, Refuses) {
  if (GetParam() == "openai") GTEST_SKIP() << "aimock knows no refusal of the Responses API";
  const auto reply = ask("refuse this");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->stop, StopReason::refusal);
}

TEST_P(Aimock, IsAskedAgainAsItSays) {
  const auto reply = ask("flaky at " + GetParam() + ".");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "third time lucky");
  EXPECT_EQ(reply->retries, 2);
  ASSERT_EQ(sleeps_.size(), 2u);
  EXPECT_DOUBLE_EQ(sleeps_[1], 2);
}

TEST_P(Aimock, CutsAReply) {
  const auto reply = ask("cut off");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->stop, StopReason::truncated);
  EXPECT_TRUE(reply->text.starts_with("This reply")) << reply->text;
  EXPECT_EQ(reply->retries, 2);
  EXPECT_FALSE(reply->usage_complete);
}

TEST_P(Aimock, ReachesTheTokenLimit) {
  const auto reply = ask("too long");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->stop, StopReason::max_tokens);
}

TEST_P(Aimock, HasNoCreditLeft) {
  const auto reply = ask("broke");
  ASSERT_FALSE(reply);
  EXPECT_TRUE(sleeps_.empty());
}

TEST_P(Aimock, RefusesTheKey) {
  const auto reply = ask("wrong key");
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message.find("401"), std::string::npos);
  EXPECT_EQ(reply.error().text().find("planted"), std::string::npos);
}

TEST_P(Aimock, FailsWhereNoFixtureMatches) {
  const auto reply = ask("something else");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::provider);
}

TEST_P(Aimock, ShowsReasoningApart) {
  const auto reply = ask("think");
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "the answer");
  EXPECT_EQ(reply->reasoning, "the thought");
}

}  // namespace
}  // namespace kgen::llm
