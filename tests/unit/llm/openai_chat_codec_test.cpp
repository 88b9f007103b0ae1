#include "llm/openai_chat_codec.hpp"

#include <gtest/gtest.h>

#include "shown_request.hpp"
#include "support/golden.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

std::unique_ptr<Codec> openai_chat_codec(OpenAiChatSettings settings = {}) {
  return make_openai_chat_codec(std::move(settings)).value();
}

TEST(OpenAiChatCodec, SendsOnlyWhatIsAskedFor) {
  const EncodedRequest request =
      openai_chat_codec()->encode({"", "Write a kernel."}, {"gpt-6.1-sol", {}, "", {}});
  EXPECT_EQ(test::compare_golden("llm/openai_chat/request_minimal.txt", shown(request)), "");
}

TEST(OpenAiChatCodec, SendsEveryOption) {
  const EncodedRequest request =
      openai_chat_codec()->encode({"Rules.", "Write a \"kernel\".\n"}, {"gpt-6.1-sol", 32000, "high", 0.5});
  EXPECT_EQ(test::compare_golden("llm/openai_chat/request_full.txt", shown(request)), "");
}

TEST(OpenAiChatCodec, SpeaksTheDialectOfTheServer) {
  OpenAiChatSettings settings;
  settings.token_field = "max_tokens";
  settings.system_role = "developer";
  settings.include_usage = false;
  settings.extra_body =
      R"({"top_k": 20, "chat_template_kwargs": {"enable_thinking": true}, "reasoning_effort": null})";
  const EncodedRequest request =
      openai_chat_codec(settings)->encode({"Rules.", "Go."}, {"qwen", 4096, "low", {}});
  EXPECT_EQ(test::compare_golden("llm/openai_chat/request_dialect.txt", shown(request)), "");
}

TEST(OpenAiChatCodec, SendsTextThatIsNoUtf8) {
  const EncodedRequest request = openai_chat_codec()->encode({"", "bad \xff byte"}, {"m", {}, "", {}});
  EXPECT_EQ(json::parse(request.body)["messages"][0]["content"], "bad \xEF\xBF\xBD byte");
}

TEST(OpenAiChatCodec, RefusesAnExtraBodyThatIsNoObject) {
  for (const char* text : {"[1]", "{", "5", "{} {}"}) {
    OpenAiChatSettings settings;
    settings.extra_body = text;
    const auto made = make_openai_chat_codec(settings);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().kind, ErrorKind::bad_input);
  }
}

TEST(OpenAiChatCodec, ReadsErrorBodiesOfAllShapes) {
  const auto expect = [](std::string_view body, std::string_view code, std::string_view message) {
    const ApiError error = openai_chat_codec()->decode_error(429, body);
    EXPECT_EQ(error.status, 429);
    EXPECT_EQ(error.code, code) << body;
    EXPECT_EQ(error.message, message) << body;
  };
  expect(
      R"({"error":{"message":"out of credit","type":"insufficient_quota","param":null,"code":"insufficient_quota"}})",
      "insufficient_quota", "out of credit");
  expect(R"({"error":{"message":"slow","type":"rate_limit_error","code":null}})", "rate_limit_error", "slow");
  expect(R"({"error":{"message":"slow","code":429}})", "", "slow");
  expect(R"({"error":"model not found"})", "", "model not found");
  expect(R"({"object":"error","message":"bad","type":"BadRequestError","code":400})", "BadRequestError",
         "bad");
  expect(R"({"detail":"Not Found"})", "", "Not Found");
  expect(R"({"odd":1})", "", R"({"odd":1})");
  expect("<html>Bad Gateway</html>", "", "<html>Bad Gateway</html>");
  expect("", "", "");
}

}  // namespace
}  // namespace kgen::llm
