#include <gtest/gtest.h>

#include <map>

#include "fake_environment.hpp"
#include "llm/provider_config.hpp"
#include "support/misbehaving_server.hpp"

namespace kgen::llm {
namespace {

using test::MisbehavingServer;

constexpr const char* kGoodBody =
    "data: {\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: "
    "[DONE]\n\n";

/// What a client made from `config` sends to a server that answers well.
std::string sent_by(ProviderConfig config, std::map<std::string, std::string> variables,
                    const char* answer = kGoodBody) {
  MisbehavingServer server({test::answer(200, "Content-Type: text/event-stream\r\n", answer)});
  config.base_url = server.url() + config.base_url;
  const auto client = make_client(config, with(std::move(variables)));
  EXPECT_TRUE(client) << client.error().text();
  Request request;
  request.prompt = {"Rules.", "Go."};
  const auto reply = (*client)->ask(request);
  EXPECT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "hello");
  return server.requests().at(0);
}

TEST(MakeClient, SendsTheKeyAndTheModel) {
  ProviderConfig config;
  config.base_url = "/v1/";
  config.model = "qwen";
  const std::string sent = sent_by(config, {{"OPENAI_API_KEY", "sk-abc\n"}});
  EXPECT_TRUE(sent.starts_with("POST /v1/chat/completions HTTP/1.1\r\n")) << sent;
  EXPECT_NE(sent.find("\r\nAuthorization: Bearer sk-abc\r\n"), std::string::npos);
  EXPECT_NE(sent.find("\"model\":\"qwen\""), std::string::npos);
}

TEST(MakeClient, DoesWithoutAKeyForAServerOfOnesOwn) {
  ProviderConfig config;
  config.model = "qwen";
  EXPECT_EQ(sent_by(config, {}).find("Authorization"), std::string::npos);
}

TEST(MakeClient, PutsTheKeyIntoAnotherHeaderAndThePathBeforeTheQuery) {
  ProviderConfig config;
  config.base_url = "/openai?api-version=1";
  config.model = "m";
  config.api_key_env = "MY_KEY";
  config.api_key_header = "api-key";
  const std::string sent = sent_by(config, {{"MY_KEY", "abcd"}, {"OPENAI_API_KEY", "other"}});
  EXPECT_TRUE(sent.starts_with("POST /openai/chat/completions?api-version=1 HTTP/1.1\r\n")) << sent;
  EXPECT_NE(sent.find("\r\napi-key: abcd\r\n"), std::string::npos);
  EXPECT_EQ(sent.find("other"), std::string::npos);
}

constexpr const char* kGoodMessage =
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"hello\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n";
constexpr const char* kGoodResponse =
    "data: {\"type\":\"response.output_text.delta\",\"delta\":\"hello\"}\n\n"
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n";

TEST(MakeClient, SpeaksToAnthropic) {
  ProviderConfig config;
  config.provider = "anthropic";
  config.model = "claude-opus-5-5";
  config.base_url = "/v1/";  // its addresses are written without
  const std::string sent =
      sent_by(config, {{"ANTHROPIC_API_KEY", "sk-ant-abc"}, {"OPENAI_API_KEY", "other"}}, kGoodMessage);
  EXPECT_TRUE(sent.starts_with("POST /v1/messages HTTP/1.1\r\n")) << sent;
  EXPECT_NE(sent.find("\r\nx-api-key: sk-ant-abc\r\n"), std::string::npos) << sent;
  EXPECT_NE(sent.find("\r\nanthropic-version: 2026-10-21\r\n"), std::string::npos);
  EXPECT_NE(sent.find("\"cache_control\":{\"type\":\"ephemeral\"}"), std::string::npos);
  EXPECT_EQ(sent.find("other"), std::string::npos);
  EXPECT_EQ(sent.find("Authorization"), std::string::npos);

  config.api_key_header = "authorization";
  config.no_prompt_cache = true;
  const std::string bearer = sent_by(config, {{"ANTHROPIC_API_KEY", "sk-ant-abc"}}, kGoodMessage);
  EXPECT_NE(bearer.find("\r\nAuthorization: Bearer sk-ant-abc\r\n"), std::string::npos) << bearer;
  EXPECT_EQ(bearer.find("cache_control"), std::string::npos);
}

TEST(MakeClient, SpeaksToAResponsesServer) {
  ProviderConfig config;
  config.provider = "openai";
  config.model = "m";
  config.base_url = "/v1";
  const std::string sent =
      sent_by(config, {{"OPENAI_API_KEY", "sk-abc"}, {"OPENAI_ORG_ID", "org"}}, kGoodResponse);
  EXPECT_TRUE(sent.starts_with("POST /v1/responses HTTP/1.1\r\n")) << sent;
  EXPECT_NE(sent.find("\r\nAuthorization: Bearer sk-abc\r\n"), std::string::npos);
  EXPECT_NE(sent.find("\"instructions\":\"Rules.\""), std::string::npos);  // not OpenAI's own: no cache marks
  EXPECT_EQ(sent.find("OpenAI-Organization"), std::string::npos);
}

TEST(MakeClient, SaysWhichKeyIsMissing) {
  ProviderConfig config;
  config.provider = "openai-chat";
  const auto none = make_client(config, with({}));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::provider);
  EXPECT_NE(none.error().text().find("OPENAI_API_KEY"), std::string::npos);

  config.base_url = "http://127.0.0.1:1/v1";
  config.api_key_env = "MY_KEY";
  EXPECT_NE(make_client(config, with({})).error().text().find("MY_KEY"), std::string::npos);
}

TEST(MakeClient, HasADefaultModelForTheCompanysOwnServerOnly) {
  ProviderConfig config;
  for (const auto& [key, name] :
       {std::pair("OPENAI_API_KEY", "openai"), std::pair("ANTHROPIC_API_KEY", "anthropic")}) {
    const auto client = make_client(config, with({{key, "sk-abc"}}));
    ASSERT_TRUE(client);
    EXPECT_EQ((*client)->name(), name);
    EXPECT_FALSE((*client)->model().empty());
  }
  config.base_url = "http://127.0.0.1:1/v1";
  EXPECT_NE(make_client(config, with({})).error().text().find("--model"), std::string::npos);
}

TEST(MakeClient, RefusesBadSettingsWithoutShowingSecrets) {
  const auto refused = [](auto change, std::map<std::string, std::string> variables) {
    ProviderConfig config;
    config.model = "m";
    change(config);
    const auto client = make_client(config, with(std::move(variables)));
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(client.error().text().find("planted"), std::string::npos) << client.error().text();
  };
  refused([](ProviderConfig& config) { config.base_url = "ftp://user:planted@host/"; }, {});
  refused([](ProviderConfig& config) { config.base_url = "https://user:planted@ho st/"; }, {});
  refused([](ProviderConfig& config) { config.base_url = "https://"; }, {});
  refused([](ProviderConfig&) {}, {{"OPENAI_API_KEY", "sk-planted\r\nEvil: 1"}});
  refused([](ProviderConfig& config) { config.extra_body = "[planted"; }, {{"OPENAI_API_KEY", "sk-x"}});
  refused([](ProviderConfig& config) { config.provider = "exec"; }, {});
  refused([](ProviderConfig& config) { config.provider = "replay"; }, {});
  refused([](ProviderConfig& config) { config.models_file = "/nowhere/models.json"; },
          {{"OPENAI_API_KEY", "sk-x"}});
}

TEST(MakeClient, NeverShowsAKeyThatTheServerEchoes) {
  MisbehavingServer server({test::answer(401, "", "no such key: planted-0123, planted-4567")});
  ProviderConfig config;
  config.base_url = server.url();
  config.model = "m";
  config.api_key_env = "MY_KEY";
  const auto client =
      make_client(config, with({{"MY_KEY", "planted-0123"}, {"ANTHROPIC_API_KEY", "planted-4567"}}));
  const auto reply = (*client)->ask({});
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().text().find("no such key: [redacted], [redacted]"), std::string::npos)
      << reply.error().text();
  EXPECT_NE(reply.error().hint.find("MY_KEY"), std::string::npos);
}

TEST(MakeClient, MakesTheOthersByName) {
  ProviderConfig config;
  config.provider = "manual";
  EXPECT_EQ(make_client(config, with({})).value()->name(), "manual");
  config.provider = "exec";
  config.command = "cat";
  EXPECT_EQ(make_client(config, with({})).value()->name(), "exec");
}

}  // namespace
}  // namespace kgen::llm
