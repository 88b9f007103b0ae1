#include "core/protocol.hpp"

#include <gtest/gtest.h>

#include "core/json_fields.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

Task some_task() {
  return *make_task(*reference_ops::find_builtin_op("softmax"), "", {}, {});
}

TEST(Protocol, EvaluateRequestSurvivesTheWire) {
  EvaluateRequest request{some_task(), "code", Tier::promotion, 77, {{"BM", 64}}, 3.5, false, true};
  const auto back = evaluate_request_from_json(to_json(request));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(to_json(*back), to_json(request));
}

TEST(Protocol, HelloRefusesAnotherVersion) {
  HelloReply reply;
  reply.device = *facts_for_arch("sm_90a");
  auto json = to_json(reply);
  EXPECT_TRUE(hello_reply_from_json(json));
  json["protocol"] = 99;
  EXPECT_NE(hello_reply_from_json(json).error().text().find("protocol 99"), std::string::npos);
}

TEST(Protocol, ErrorsKeepTheirKind) {
  const Error back = error_from_json(to_json(Error{ErrorKind::missing, "no GPU", "buy one"}));
  EXPECT_EQ(back.kind, ErrorKind::missing);
  EXPECT_EQ(back.text(), "no GPU; buy one");
  EXPECT_EQ(error_from_json("what").kind, ErrorKind::internal);
  const Error odd = error_from_json({{"kind", 3}, {"message", nullptr}, {"hint", 0}});
  EXPECT_EQ(odd.message, "no message");
  EXPECT_EQ(odd.hint, "");
}

TEST(DeviceFacts, KnownArchitecturesHaveTheirCapabilities) {
  EXPECT_TRUE(facts_for_arch("")->capabilities.contains("wgmma"));
  EXPECT_FALSE(facts_for_arch("sm_90")->capabilities.contains("wgmma"));
  EXPECT_FALSE(facts_for_arch("sm_80")->capabilities.contains("tma"));
  EXPECT_FALSE(facts_for_arch("sm_1"));
}

TEST(ParseJson, RefusesWholeNumbersThatFitNoInteger) {
  for (const char* text : {R"({"a": 18446744073709551616})", R"([-9223372036854775809])",
                           R"({"a\"": 629145605111111111111111111111111111111})"}) {
    const auto json = parse_json(text, "a line");
    ASSERT_FALSE(json) << text;
    EXPECT_NE(json.error().message.find("fits no 64-bit integer"), std::string::npos) << json.error().message;
  }
  for (const char* text :
       {R"({"a": 18446744073709551615, "b": -9223372036854775808, "c": 1e300, "d": -0, "e": true})",
        R"({"99999999999999999999999": "\\", "b": "\"99999999999999999999999"})", "1.5", "null"})
    EXPECT_TRUE(parse_json(text, "a line")) << text;
}

}  // namespace
}  // namespace kgen::core
