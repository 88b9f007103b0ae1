#include "util/text.hpp"

#include <gtest/gtest.h>

namespace kgen::util {
namespace {

TEST(Trimmed, TakesBlanksFromBothEndsAndNoneBetween) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
}

TEST(Trimmed, IsEmptyForBlanksAlone) {
  EXPECT_EQ(trimmed(" \t\r\n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Trimmed, KeepsWhatIsNoBlankHere) {
  EXPECT_EQ(trimmed(" a\n", " \t"), "a\n");
}

TEST(Join, PutsTheSeparatorBetweenWords) {
  EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join({"a", "b"}, " "), "a b");
  EXPECT_EQ(join({"a"}), "a");
  EXPECT_EQ(join({}), "");
}

}  // namespace
}  // namespace kgen::util
