#include "llm/anthropic_codec.hpp"

#include <gtest/gtest.h>

#include "shown_request.hpp"
#include "support/golden.hpp"

namespace kgen::llm {
namespace {

std::unique_ptr<Codec> anthropic_codec(AnthropicSettings settings = {}) {
  return make_anthropic_codec(std::move(settings)).value();
}

TEST(AnthropicCodec, SendsOnlyWhatIsAskedFor) {
  const EncodedRequest request =
      anthropic_codec()->encode({"", "Write a kernel."}, {"claude-opus-5-5", {}, "", {}});
  EXPECT_EQ(test::compare_golden("llm/anthropic/request_minimal.txt", shown(request)), "");
}

TEST(AnthropicCodec, MarksTheStablePrefixAndSendsTheEffort) {
  const EncodedRequest request =
      anthropic_codec()->encode({"Rules.", "Write a \"kernel\".\n"}, {"claude-opus-5-5", 64000, "xhigh", {}});
  EXPECT_EQ(test::compare_golden("llm/anthropic/request_full.txt", shown(request)), "");
}

TEST(AnthropicCodec, LeavesTheMarkOutAndMergesFurtherFields) {
  AnthropicSettings settings;
  settings.cache_prefix = false;
  settings.version = "2023-06-01";
  settings.extra_body =
      R"({"service_tier": "standard_only", "output_config": null, "metadata": {"user_id": "u"}})";
  const EncodedRequest request =
      anthropic_codec(settings)->encode({"Rules.", "Go."}, {"m", 4096, "low", 0.5});
  EXPECT_EQ(test::compare_golden("llm/anthropic/request_dialect.txt", shown(request)), "");
}

TEST(AnthropicCodec, RefusesAnExtraBodyThatIsNoObject) {
  AnthropicSettings settings;
  settings.extra_body = "[1]";
  EXPECT_EQ(make_anthropic_codec(settings).error().kind, ErrorKind::bad_input);
}

TEST(AnthropicCodec, ReadsErrorBodies) {
  const ApiError busy = anthropic_codec()->decode_error(
      529,
      R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"})");
  EXPECT_EQ(busy.status, 529);
  EXPECT_EQ(busy.code, "overloaded_error");
  EXPECT_EQ(busy.message, "Overloaded");
  const ApiError spent = anthropic_codec()->decode_error(
      429,
      R"({"type":"error","error":{"type":"rate_limit_error","message":"No more","details":{"error_code":"enforced_spend_limit_reached"}}})");
  EXPECT_EQ(spent.code, "enforced_spend_limit_reached");
}

}  // namespace
}  // namespace kgen::llm
