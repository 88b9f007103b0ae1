#include "llm/openai_codec.hpp"

#include <gtest/gtest.h>

#include "shown_request.hpp"
#include "support/golden.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

std::unique_ptr<Codec> openai_codec(OpenAiSettings settings = {}) {
  return make_openai_codec(std::move(settings)).value();
}

TEST(OpenAiCodec, SendsOnlyWhatIsAskedFor) {
  const EncodedRequest request = openai_codec()->encode({"", "Write a kernel."}, {"gpt-6.1-sol", {}, "", {}});
  EXPECT_EQ(test::compare_golden("llm/openai/request_minimal.txt", shown(request)), "");
}

TEST(OpenAiCodec, MarksTheStablePrefixAndSendsTheEffort) {
  const EncodedRequest request =
      openai_codec()->encode({"Rules.", "Write a \"kernel\".\n"}, {"gpt-6.1-sol", 64000, "high", {}});
  EXPECT_EQ(test::compare_golden("llm/openai/request_full.txt", shown(request)), "");
}

TEST(OpenAiCodec, GivesAnotherServerInstructionsWithoutMarks) {
  const EncodedRequest request = openai_codec({false, R"({"service_tier": "flex", "store": null})"})
                                     ->encode({"Rules.", "Go."}, {"m", 10, "", 0.5});
  EXPECT_EQ(test::compare_golden("llm/openai/request_dialect.txt", shown(request)), "");
}

TEST(OpenAiCodec, KeepsRequestsWithOnePrefixTogether) {
  const auto key = [](const Prompt& prompt) {
    return json::parse(openai_codec()->encode(prompt, {"m", {}, "", {}}).body)["prompt_cache_key"]
        .get<std::string>();
  };
  EXPECT_EQ(key({"Rules.", "a"}), key({"Rules.", "b"}));
  EXPECT_NE(key({"Rules.", "a"}), key({"Other rules.", "a"}));
  EXPECT_LE(key({"Rules.", "a"}).size(), 64u);
}

TEST(OpenAiCodec, RefusesAnExtraBodyThatIsNoObject) {
  EXPECT_EQ(make_openai_codec({true, "[1]"}).error().kind, ErrorKind::bad_input);
}

}  // namespace
}  // namespace kgen::llm
