#include "report/source_diff.hpp"

#include <gtest/gtest.h>

namespace kgen::report {
namespace {

TEST(SourceDiff, ShowsWhatChangedWithThreeLinesAround) {
  const std::string before = "1\n2\n3\n4\nold\n6\n7\n8\n9\n", after = "1\n2\n3\n4\nnew\n6\n7\n8\n9\n";
  EXPECT_EQ(source_diff("candidate 1", before, "candidate 2", after, false),
            "--- candidate 1\n+++ candidate 2\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-old\n+new\n 6\n 7\n 8\n");
}

TEST(SourceDiff, ChangesFarApartAreHunksOfTheirOwnAndNearOnesShareOne) {
  std::string before, far, near;
  for (int i = 1; i <= 30; ++i) {
    before += std::to_string(i) + "\n";
    far += (i == 2 || i == 28 ? "new" : std::to_string(i)) + "\n";
    near += (i == 10 || i == 16 ? "new" : std::to_string(i)) + "\n";
  }
  const std::string two = source_diff("a", before, "b", far, false);
  EXPECT_NE(two.find("@@ -1,5 +1,5 @@\n 1\n-2\n+new\n"), std::string::npos) << two;
  EXPECT_NE(two.find("@@ -25,6 +25,6 @@\n"), std::string::npos) << two;
  EXPECT_NE(source_diff("a", before, "b", near, false).find("@@ -7,13 +7,13 @@\n"), std::string::npos);
}

TEST(SourceDiff, LinesThatComeOrGoAloneAreCounted) {
  EXPECT_EQ(source_diff("a", "", "b", "x\n", false), "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n");
  EXPECT_EQ(source_diff("a", "x\ny\n", "b", "y\n", false), "--- a\n+++ b\n@@ -1,2 +1,1 @@\n-x\n y\n");
}

TEST(SourceDiff, HugeTextsAreReplacedWhole) {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_TRUE(
      source_diff("a", before, "b", after, false).starts_with("--- a\n+++ b\n@@ -1,5000 +1,5000 @@\n-a0\n"));
}

TEST(SourceDiff, TheSameTextsGiveNothing) {
  EXPECT_EQ(source_diff("a", "x\ny\n", "b", "x\ny\n", false), "");
  EXPECT_EQ(source_diff("a", "", "b", "", false), "");
}

TEST(SourceDiff, EscapeSequencesOfAKernelDoNotReachTheTerminal) {
  const std::string diff = source_diff("a", "x\n", "b", "\x1b[2Jy\n", false);
  EXPECT_EQ(diff.find('\x1b'), std::string::npos);
  EXPECT_NE(diff.find("+y"), std::string::npos) << diff;
}

TEST(SourceDiff, PaintsOnATerminal) {
  EXPECT_NE(source_diff("a", "x\n", "b", "y\n", true).find("\x1b["), std::string::npos);
}

}  // namespace
}  // namespace kgen::report
