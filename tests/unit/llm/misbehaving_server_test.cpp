// Each client over the real transport, against servers that misbehave. Waits between attempts are
// not real.

#include "support/misbehaving_server.hpp"

#include <gtest/gtest.h>

#include "llm/anthropic_codec.hpp"
#include "llm/curl_transport.hpp"
#include "llm/http_client.hpp"
#include "llm/openai_chat_codec.hpp"
#include "llm/openai_codec.hpp"

namespace kgen::llm {
namespace {

using test::answer;
using test::Connection;
using test::MisbehavingServer;

constexpr const char* kStream = "Content-Type: text/event-stream\r\n";
constexpr const char* kKey = "planted-key-0123456789";

/// How one protocol says the same things.
struct Dialect {
  std::string name;
  std::unique_ptr<Codec> (*codec)();
  std::string text_head, text_tail;  ///< around a piece of text
  std::string end;
  std::string error_head, error_tail;  ///< around an overloaded server's message
  std::string whole;                   ///< "good", not streamed
};

const Dialect kChat = {"openai_chat",
                       [] { return make_openai_chat_codec({}).value(); },
                       "data: {\"choices\":[{\"delta\":{\"content\":\"",
                       "\"}}]}\n\n",
                       "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
                       "data: {\"error\":{\"message\":\"",
                       "\",\"code\":503}}\n\n",
                       "{\"choices\":[{\"message\":{\"content\":\"good\"},\"finish_reason\":\"stop\"}]}"};
const Dialect kAnthropic = {
    "anthropic",
    [] { return make_anthropic_codec({}).value(); },
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"",
    "\"}}\n\n",
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\ndata: "
    "{\"type\":\"message_stop\"}\n\n",
    "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"",
    "\"}}\n\n",
    "{\"content\":[{\"type\":\"text\",\"text\":\"good\"}],\"stop_reason\":\"end_turn\"}"};
const Dialect kOpenAi = {
    "openai",
    [] { return make_openai_codec({}).value(); },
    "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"",
    "\"}\n\n",
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
    "data: {\"type\":\"error\",\"code\":\"server_is_overloaded\",\"message\":\"",
    "\"}\n\n",
    "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\","
    "\"text\":\"good\"}]}]}"};

struct Asked {
  Result<Reply> reply;
  std::vector<double> sleeps;
  std::string shown;  ///< everything a person could see of failures
  std::size_t requests = 0;
};

Asked ask_with(const Dialect& dialect, std::vector<MisbehavingServer::Scene> scenes,
               const std::string& base_url) {
  MisbehavingServer server(std::move(scenes));
  std::vector<double> sleeps;
  HttpClientParts parts;
  parts.codec = dialect.codec();
  parts.transport = make_curl_transport({"", "", std::size_t{1} << 20});
  parts.endpoint.base_url = base_url.empty() ? server.url() + "/v1" : base_url;
  parts.endpoint.headers = {{"Authorization", std::string("Bearer ") + kKey}};
  parts.endpoint.secrets = {kKey};
  parts.endpoint.idle_timeout_s = 0.2;
  parts.limits.max_retries = 2;
  parts.surroundings = real_surroundings();
  parts.surroundings.sleep = [&](double seconds, const std::function<bool()>&) {
    sleeps.push_back(seconds);
    return true;
  };
  std::string shown;
  Request request;
  request.prompt.user = "hi";
  request.options.model = "m";
  request.attempt_failed = [&](const FailedAttempt& failed) { shown += failed.problem + "\n"; };
  Result<Reply> reply = make_http_client(std::move(parts))->ask(request);
  if (!reply) shown += reply.error().text();
  EXPECT_EQ(shown.find("planted"), std::string::npos) << shown;
  return {std::move(reply), std::move(sleeps), std::move(shown), server.requests().size()};
}

void expect_good(const Asked& asked, std::size_t requests) {
  ASSERT_TRUE(asked.reply) << asked.reply.error().text();
  EXPECT_EQ(asked.reply->text, "good");
  EXPECT_EQ(asked.reply->stop, StopReason::end_turn);
  EXPECT_EQ(asked.requests, requests);
}

class MisbehavingServers : public testing::TestWithParam<const Dialect*> {
 protected:
  const Dialect& dialect() const { return *GetParam(); }
  std::string text_event(const std::string& text) const {
    return dialect().text_head + text + dialect().text_tail;
  }
  std::string end() const { return dialect().end; }
  MisbehavingServer::Scene good() const { return answer(200, kStream, text_event("good") + end()); }
  Asked ask(std::vector<MisbehavingServer::Scene> scenes, const std::string& base_url = "") const {
    return ask_with(dialect(), std::move(scenes), base_url);
  }
};

INSTANTIATE_TEST_SUITE_P(Every, MisbehavingServers, testing::Values(&kChat, &kAnthropic, &kOpenAi),
                         [](const auto& dialect) { return dialect.param->name; });

TEST_P(MisbehavingServers, RateLimitWithRetryAfter) {
  const Asked asked = ask({answer(429, "Retry-After: 7\r\n", "{}"), good()});
  expect_good(asked, 2);
  EXPECT_EQ(asked.sleeps, std::vector<double>{7});
}

TEST_P(MisbehavingServers, RateLimitWithoutRetryAfter) {
  const Asked asked = ask({answer(429, "", "{\"error\":{\"message\":\"slow\"}}"), good()});
  expect_good(asked, 2);
  ASSERT_EQ(asked.sleeps.size(), 1u);
  EXPECT_GT(asked.sleeps[0], 0.375 - 1e-9);
  EXPECT_LE(asked.sleeps[0], 0.5);
}

TEST_P(MisbehavingServers, ServerErrors) {
  expect_good(ask({answer(500, "", "oops"), answer(529, "", "<html>overloaded</html>"), good()}), 3);
}

TEST_P(MisbehavingServers, ServerErrorsWithoutEnd) {
  const Asked asked = ask({answer(500, "", std::string("got Authorization: Bearer ") + kKey)});
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.reply.error().kind, ErrorKind::provider);
  EXPECT_EQ(asked.requests, 3u);
}

TEST_P(MisbehavingServers, CutStream) {
  const auto cut = [this](Connection& connection) {
    connection.send_head(200, std::string(kStream) + "Transfer-Encoding: chunked\r\n");
    const std::string event = text_event("half");
    connection.send("1000\r\n" + event);
  };
  expect_good(ask({cut, good()}), 2);
  const Asked always = ask({cut});
  ASSERT_TRUE(always.reply) << always.shown;
  EXPECT_EQ(always.reply->stop, StopReason::truncated);
  EXPECT_EQ(always.reply->text, "half");
}

TEST_P(MisbehavingServers, ErrorEventInsideAGoodStream) {
  const std::string error = dialect().error_head + kKey + dialect().error_tail;
  expect_good(ask({answer(200, kStream, text_event("half") + error), good()}), 2);
  expect_good(ask({answer(200, kStream, "error: {\"code\":500,\"message\":\"decode failed\"}\n\n"), good()}),
              2);
}

TEST_P(MisbehavingServers, Garbage) {
  std::string noise;
  for (unsigned i = 1; i < 5000; ++i) noise += static_cast<char>((i * 2654435761u) >> 24);
  const Asked asked = ask({answer(200, kStream, noise)});
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.reply.error().kind, ErrorKind::provider);
  EXPECT_LT(asked.shown.size(), 3000u);
  const Asked not_http = ask({[&](Connection& connection) { connection.send(noise); }});
  EXPECT_FALSE(not_http.reply);
}

TEST_P(MisbehavingServers, Silence) {
  const Asked asked = ask({[](Connection& connection) { connection.hold(20000); }, good()});
  expect_good(asked, 2);
  EXPECT_NE(asked.shown.find("no byte for 0.2 s"), std::string::npos) << asked.shown;
}

TEST_P(MisbehavingServers, SilenceInTheMiddle) {
  const auto stuck = [this](Connection& connection) {
    connection.send_head(200, kStream);
    connection.send(text_event("half"));
    connection.hold(20000);
  };
  expect_good(ask({stuck, good()}), 2);
}

TEST_P(MisbehavingServers, SlowDripOfSingleBytes) {
  expect_good(ask({[this](Connection& connection) {
                const std::string body = text_event("good") + end();
                connection.send_head(200, kStream);
                for (const char byte : body) {
                  connection.send({&byte, 1});
                  connection.hold(1);
                }
              }}),
              1);
}

TEST_P(MisbehavingServers, WrongContentType) {
  expect_good(ask({answer(200, "Content-Type: text/plain\r\n", text_event("good") + end())}), 1);
  const Asked page = ask({answer(200, "Content-Type: text/html\r\n", "<html>Please log in</html>")});
  ASSERT_FALSE(page.reply);
  EXPECT_EQ(page.requests, 1u);
  EXPECT_NE(page.shown.find("Please log in"), std::string::npos);
}

TEST_P(MisbehavingServers, WholeJsonInsteadOfAStream) {
  expect_good(ask({answer(200, "Content-Type: application/json\r\n", dialect().whole)}), 1);
}

TEST_P(MisbehavingServers, NobodyListens) {
  const Asked asked =
      ask({good()}, "http://user:planted@127.0.0.1:" + std::to_string(test::closed_port()) + "/v1");
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.sleeps.size(), 2u);
  EXPECT_NE(asked.reply.error().hint.find("running"), std::string::npos);
}

TEST_P(MisbehavingServers, HugeBody) {
  const Asked asked = ask({[this](Connection& connection) {
    connection.send_head(200, kStream);
    const std::string block = text_event(std::string(60000, 'x'));
    while (connection.send(block)) {
    }
  }});
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.requests, 1u);
  EXPECT_NE(asked.shown.find("larger than kgen reads"), std::string::npos);
}

TEST_P(MisbehavingServers, HugeErrorBody) {
  const Asked asked = ask({answer(400, "", std::string(500000, 'x'))});
  ASSERT_FALSE(asked.reply);
  EXPECT_LT(asked.shown.size(), 3000u);
}

TEST_P(MisbehavingServers, Redirect) {
  const Asked asked = ask({answer(308, "Location: https://elsewhere.test/v1?key=planted\r\n", "")});
  ASSERT_FALSE(asked.reply);
  EXPECT_EQ(asked.requests, 1u);
  EXPECT_NE(asked.shown.find("elsewhere.test"), std::string::npos);
}

}  // namespace
}  // namespace kgen::llm
