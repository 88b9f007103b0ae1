#include "util/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kgen::util {
namespace {

TEST(Utf8, AcceptsEveryWellFormedLength) {
  for (const char* text : {"", "plain", "\xc2\xb5s", "\xe2\x89\xa4", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xf0\x9f\x9a\x80", "\xf4\x8f\xbf\xbf", "\xe0\xa0\x80", "\xf0\x90\x80\x80"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(std::string("a\0b", 3)));
}

TEST(Utf8, RefusesWhatIsNot) {
  for (const char* text :
       {"\x80", "\xff", "\xc0\x80", "\xc1\xbf", "\xc2", "a\xe2\x89", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc2z", "\xe2\x89z"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace kgen::util
