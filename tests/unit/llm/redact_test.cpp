#include "llm/redact.hpp"

#include <gtest/gtest.h>

namespace kgen::llm {
namespace {

TEST(Redact, RemovesKnownSecretsWhereverTheyStand) {
  EXPECT_EQ(redact("a:hunter22,b:hunter22", {"hunter22"}), "a:[redacted],b:[redacted]");
  EXPECT_EQ(redact("longer-secret", {"longer", "longer-secret"}), "[redacted]");
}

TEST(Redact, LeavesShortKnownValuesAlone) {
  EXPECT_EQ(redact("none of it", {"no", ""}), "none of it");
}

TEST(Redact, RemovesWhatLooksLikeASecret) {
  const std::string secret = "q7ZrT9plantedW3x";
  for (const std::string& text : {
           "Authorization: Bearer " + secret + "\r\nHost: x",
           "authorization: Basic " + secret,
           "{\"x-api-key\": \"" + secret + "\"}",
           "X-API-KEY:" + secret,
           "api_key=" + secret,
           "Set-Cookie: session=" + secret + "; Path=/",
           "cookie: a=b; c=" + secret,
           "sent bearer " + secret,
           "Incorrect API key provided: sk-" + secret + ". You can find",
           "https://user:" + secret + "@host/v1",
           "http://" + secret + "@host",
           "https://host/v1?api-version=2&key=" + secret + "&x=1",
           "https://host/?access_token=" + secret,
           "https://host/?X-Amz-Signature=" + secret,
       }) {
    const std::string clean = redact(text, {});
    EXPECT_EQ(clean.find(secret), std::string::npos) << text << " -> " << clean;
    EXPECT_NE(clean.find("[redacted]"), std::string::npos) << text;
    EXPECT_EQ(redact(clean, {}), clean) << "not stable: " << clean;
  }
}

TEST(Redact, KeepsWhatIsNoSecret) {
  for (const char* text :
       {"HTTP 401: the key is wrong", "https://host:8080/v1/chat?stream=true", "task-force sk-",
        "max_tokens must be at most 4096", "a?b:c & d=e", "https://host/a@b"}) {
    EXPECT_EQ(redact(text, {"unrelated"}), text);
  }
}

TEST(Redact, KeepsTheRestOfTheText) {
  EXPECT_EQ(redact("x\nAuthorization: Bearer abcdef\ny", {}), "x\nAuthorization: [redacted]\ny");
  EXPECT_EQ(redact("https://u:p@host/v1?key=abc&n=1 failed", {}),
            "https://[redacted]@host/v1?key=[redacted]&n=1 failed");
}

}  // namespace
}  // namespace kgen::llm
