#include "cli/number_checks.hpp"

#include <gtest/gtest.h>

namespace kgen::cli {
namespace {

// What a check says of a text; "" where it is right.
std::string said(const CLI::Validator& check, std::string text) {
  return check(text);
}

TEST(NumberChecks, WholeNumbersAreThoseOfAUint64) {
  for (const char* text : {"0", "7", "18446744073709551615"})
    EXPECT_EQ(said(whole_number(), text), "") << text;
  for (const char* text : {"-1", "1.5", "abc", "", "1 ", "18446744073709551616"})
    EXPECT_EQ(said(whole_number(), text),
              "is '" + std::string(text) + "'; expected a whole number from 0 to 18446744073709551615");
}

TEST(NumberChecks, PositiveNumbersAreAboveZeroAndFinite) {
  for (const char* text : {"1", "0.5", "1e-3"}) EXPECT_EQ(said(positive_number(), text), "") << text;
  for (const char* text : {"0", "-1", "abc", "", "nan", "inf", "1e999"})
    EXPECT_EQ(said(positive_number(), text), "is '" + std::string(text) + "'; expected a number above 0");
}

}  // namespace
}  // namespace kgen::cli
