#include "util/closest_names.hpp"

#include <gtest/gtest.h>

namespace kgen::util {
namespace {

TEST(ClosestNames, PutsTheNearestSpellingFirst) {
  EXPECT_EQ(closest_names("sofmax", {"gemm", "softmax", "add_relu"}).substr(0, 8), "softmax,");
  EXPECT_EQ(closest_names("ROWS", {"cols", "rows"}), "rows, cols");
}

TEST(ClosestNames, EqualDistancesAreAlphabeticalAndNamesComeOnce) {
  EXPECT_EQ(closest_names("x", {"c", "a", "b", "a"}), "a, b, c");
}

TEST(ClosestNames, SaysHowManyAreLeftOut) {
  EXPECT_EQ(closest_names("a", {"a", "b", "c"}, 2), "a, b and 1 more");
}

TEST(ClosestNames, SaysWhereThereAreNone) {
  EXPECT_EQ(closest_names("a", {}), "none");
}

TEST(ClosestNames, HugeNamesCostLittle) {
  EXPECT_EQ(closest_names(std::string(1 << 20, 'x'), {std::string("y")}), "y");
}

}  // namespace
}  // namespace kgen::util
