// Requests against JSON Schemas generated from the types of the official SDKs. generate.sh makes them.

#include <gtest/gtest.h>

#include "util/json.hpp"  // before valijson, whose headers use nlohmann's JSON

#include <cstdlib>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "llm/anthropic_codec.hpp"
#include "llm/openai_chat_codec.hpp"
#include "llm/openai_codec.hpp"
#include "util/file.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

/// What is wrong with a request's body by the SDK's type; empty where it fits.
std::string violations(const std::string& type, const EncodedRequest& request) {
  const char* folder = std::getenv("KGEN_CONTRACTS");
  if (folder == nullptr) return "KGEN_CONTRACTS is not set: run generate.sh";
  const json document =
      json::parse(util::read_file(std::filesystem::path(folder) / (type + ".json")).value());
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(NlohmannJsonAdapter(document), schema);
  const json body = json::parse(request.body);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, NlohmannJsonAdapter(body), &results)) return "";
  std::string text;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& step : error.context) text += step;
    text += ": " + error.description + "\n";
  }
  return text.empty() ? "does not fit" : text;
}

const Prompt kPrompt = {"Rules.", "Write a kernel."};
const Prompt kUserOnly = {"", "Write a kernel."};

TEST(RequestContracts, Anthropic) {
  const std::string type = "MessageCreateParamsStreaming";
  AnthropicSettings plain;
  plain.cache_prefix = false;
  for (const AnthropicSettings& settings : {AnthropicSettings{}, plain}) {
    const auto codec = make_anthropic_codec(settings).value();
    for (const Prompt& prompt : {kPrompt, kUserOnly}) {
      EXPECT_EQ(violations(type, codec->encode(prompt, {"claude-opus-5-5", {}, "", {}})), "");
      EXPECT_EQ(violations(type, codec->encode(prompt, {"claude-opus-5-5", 64000, "max", {}})), "");
    }
  }
}

TEST(RequestContracts, OpenAi) {
  const std::string type = "ResponseCreateParamsStreaming";
  for (const bool cache_prefix : {true, false}) {
    const auto codec = make_openai_codec({cache_prefix, ""}).value();
    for (const Prompt& prompt : {kPrompt, kUserOnly}) {
      EXPECT_EQ(violations(type, codec->encode(prompt, {"gpt-6.1-sol", {}, "", {}})), "");
      EXPECT_EQ(violations(type, codec->encode(prompt, {"gpt-6.1-sol", 64000, "xhigh", 0.5})), "");
    }
  }
}

TEST(RequestContracts, OpenAiChat) {
  const std::string type = "ChatCompletionCreateParamsStreaming";
  OpenAiChatSettings old;
  old.token_field = "max_tokens";
  old.system_role = "developer";
  for (const OpenAiChatSettings& settings : {OpenAiChatSettings{}, old}) {
    const auto codec = make_openai_chat_codec(settings).value();
    for (const Prompt& prompt : {kPrompt, kUserOnly}) {
      EXPECT_EQ(violations(type, codec->encode(prompt, {"gpt-6.1-sol", {}, "", {}})), "");
      EXPECT_EQ(violations(type, codec->encode(prompt, {"gpt-6.1-sol", 64000, "high", 0.5})), "");
    }
  }
}

/// The schemas do refuse: a field that is none, a word that is none, a value of another type, in all three.
TEST(RequestContracts, RefuseWhatIsWrong) {
  AnthropicSettings settings;
  const auto anthropic = [&](const std::string& extra, const ModelOptions& options) {
    settings.extra_body = extra;
    return violations("MessageCreateParamsStreaming",
                      make_anthropic_codec(settings).value()->encode(kPrompt, options));
  };
  EXPECT_NE(anthropic(R"({"max_output_tokens": 5})", {"m", {}, "", {}}), "");
  EXPECT_NE(anthropic("", {"m", {}, "enormous", {}}), "");
  EXPECT_NE(anthropic("", {"m", {}, "", 0.5}), "");  // this version of the API refuses a temperature
  const auto openai = [](const std::string& extra, const ModelOptions& options) {
    return violations("ResponseCreateParamsStreaming",
                      make_openai_codec({true, extra}).value()->encode(kPrompt, options));
  };
  EXPECT_NE(openai(R"({"max_tokens": 5})", {"m", {}, "", {}}), "");
  EXPECT_NE(openai("", {"m", {}, "enormous", {}}), "");
  EXPECT_NE(openai(R"({"store": "no"})", {"m", {}, "", {}}), "");
  OpenAiChatSettings chat;
  chat.token_field = "max_output_tokens";
  EXPECT_NE(violations("ChatCompletionCreateParamsStreaming",
                       make_openai_chat_codec(chat).value()->encode(kPrompt, {"m", 5, "", {}})),
            "");
}

}  // namespace
}  // namespace kgen::llm
