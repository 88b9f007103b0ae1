#include "util/base64.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace kgen::util {
namespace {

TEST(Base64, MatchesTheExamplesOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, GivesBackEveryByte) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes.push_back(static_cast<char>(i * 7));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(from_base64(base64(bytes.substr(0, length))), bytes.substr(0, length));
  }
}

TEST(Base64, RefusesWhatIsNotBase64) {
  EXPECT_THROW(from_base64("abc"), std::invalid_argument);
  EXPECT_THROW(from_base64("ab!="), std::invalid_argument);
}

}  // namespace
}  // namespace kgen::util
