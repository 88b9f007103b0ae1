#include <gtest/gtest.h>

#include "fake_environment.hpp"
#include "llm/provider_config.hpp"

namespace kgen::llm {
namespace {

TEST(ChooseProvider, TakesTheConfiguredOne) {
  for (const std::string& name : provider_names()) {
    ProviderConfig config;
    config.provider = name;
    EXPECT_EQ(choose_provider(config, with({{"OPENAI_API_KEY", "k"}})).value(), name);
  }
}

TEST(ChooseProvider, NamesTheKnownOnesWhereTheNameIsWrong) {
  ProviderConfig config;
  config.provider = "oracle";
  const auto chosen = choose_provider(config, with({}));
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().kind, ErrorKind::bad_input);
  for (const std::string& name : provider_names())
    EXPECT_NE(chosen.error().hint.find(name), std::string::npos);
}

TEST(ChooseProvider, TakesTheOneWhoseKeyIsSet) {
  EXPECT_EQ(choose_provider({}, with({{"ANTHROPIC_API_KEY", "k"}})).value(), "anthropic");
  EXPECT_EQ(choose_provider({}, with({{"ANTHROPIC_BASE_URL", "http://127.0.0.1:1"}})).value(), "anthropic");
  EXPECT_EQ(choose_provider({}, with({{"OPENAI_API_KEY", "k"}})).value(), "openai");
}

TEST(ChooseProvider, TakesAServerOfOnesOwnForAChatServer) {
  const std::string url = "http://127.0.0.1:1/v1";
  EXPECT_EQ(choose_provider({}, with({{"OPENAI_BASE_URL", url}})).value(), "openai-chat");
  EXPECT_EQ(choose_provider({}, with({{"OPENAI_BASE_URL", url}, {"OPENAI_API_KEY", "k"}})).value(),
            "openai-chat");
  ProviderConfig config;
  config.base_url = url;
  EXPECT_EQ(choose_provider(config, with({{"ANTHROPIC_API_KEY", "k"}})).value(), "openai-chat");
}

TEST(ChooseProvider, AsksWhichWhereTwoAreSet) {
  for (const auto& [variable, second] : {std::pair("OPENAI_API_KEY", "--provider openai"),
                                         std::pair("OPENAI_BASE_URL", "--provider openai-chat")}) {
    const auto chosen = choose_provider({}, with({{"ANTHROPIC_API_KEY", "planted"}, {variable, "planted"}}));
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.error().kind, ErrorKind::provider);
    EXPECT_NE(chosen.error().hint.find("--provider anthropic"), std::string::npos);
    EXPECT_TRUE(chosen.error().hint.ends_with(second)) << chosen.error().hint;
    EXPECT_EQ(chosen.error().text().find("planted"), std::string::npos);
  }
}

TEST(ChooseProvider, SaysWhatToDoWhereNothingIsSet) {
  const auto chosen = choose_provider({}, with({}));
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().kind, ErrorKind::provider);
  for (const char* word : {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "manual", "exec", "replay"}) {
    EXPECT_NE(chosen.error().text().find(word), std::string::npos) << word;
  }
}

TEST(KeyStatus, KnowsWhoNeedsAKey) {
  const auto status = [](const char* provider, const char* url,
                         std::map<std::string, std::string> variables) {
    ProviderConfig config;
    config.base_url = url;
    return key_status(provider, config, with(std::move(variables)));
  };
  EXPECT_EQ(status("anthropic", "", {}).variable, "ANTHROPIC_API_KEY");
  EXPECT_TRUE(status("anthropic", "", {}).needed);
  EXPECT_TRUE(status("anthropic", "https://api.anthropic.com/v1/", {}).needed);
  EXPECT_FALSE(status("anthropic", "", {{"ANTHROPIC_BASE_URL", "http://127.0.0.1:1"}}).needed);
  EXPECT_TRUE(status("openai", "", {{"OPENAI_API_KEY", "k"}}).is_set);
  EXPECT_FALSE(status("openai-chat", "http://127.0.0.1:1/v1", {}).needed);
  EXPECT_EQ(status("replay", "", {}).variable, "");
  ProviderConfig config;
  config.base_url = "http://127.0.0.1:1/v1";
  config.api_key_env = "MY_KEY";
  EXPECT_EQ(key_status("openai", config, with({})).variable, "MY_KEY");
  EXPECT_TRUE(key_status("openai", config, with({})).needed);
}

}  // namespace
}  // namespace kgen::llm
