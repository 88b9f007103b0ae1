// What a wrong expression says: people and models fix their plan from these messages alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/expr.hpp"

namespace kgen::util {
namespace {

using testing::HasSubstr;

Error parse_error(std::string_view text) {
  const auto expr = Expr::parse(text);
  EXPECT_FALSE(expr) << text;
  return expr ? Error{} : expr.error();
}

Error evaluation_error(std::string_view text) {
  Scope scope;
  scope.value = [](std::string_view name) -> std::optional<std::int64_t> {
    if (name == "K") return 8;
    if (name == "M") return 4096;
    if (name == "lowest") return INT64_MIN;
    if (name == "highest") return INT64_MAX;
    return std::nullopt;
  };
  scope.names = [] {
    return std::vector<std::string>{"lowest", "highest", "num_sms", "M", "K", "sizeof(x)"};
  };
  const auto expr = Expr::parse(text);
  EXPECT_TRUE(expr) << text << ": " << (expr ? "" : expr.error().text());
  if (!expr) return {};
  const auto value = expr->evaluate(scope);
  EXPECT_FALSE(value) << text;
  return value ? Error{} : value.error();
}

TEST(ExprError, NamesTheSubExpressionAndColumnOfADivisionByZero) {
  const Error error = evaluation_error("1 + M / (K - 8)");
  EXPECT_EQ(error.kind, ErrorKind::bad_input);
  EXPECT_EQ(error.message, "division by zero in 'M / (K - 8)' at column 5");
  EXPECT_EQ(evaluation_error("M % 0").message, "division by zero in 'M % 0' at column 1");
  EXPECT_EQ(evaluation_error("2*ceil_div(M, K - 8)").message,
            "division by zero in 'ceil_div(M, K - 8)' at column 3");
  EXPECT_THAT(evaluation_error("round_up(M, 0)").message, HasSubstr("division by zero"));
}

TEST(ExprError, EveryOperatorChecksOverflow) {
  for (const char* text :
       {"highest + 1", "lowest - 1", "M * highest", "lowest / -1", "lowest % -1", "-lowest", "1 << 63",
        "highest << 1", "lowest << 1", "ceil_div(lowest, -1)", "round_up(highest, 2)"})
    EXPECT_THAT(evaluation_error(text).message, HasSubstr("int64 overflow")) << text;
  EXPECT_EQ(evaluation_error("0 + M * highest").message,
            "int64 overflow (operands 4096 and 9223372036854775807) in 'M * highest' at column 5");
}

TEST(ExprError, ShiftsOutsideTheWordAreErrors) {
  EXPECT_EQ(evaluation_error("M << K - 9").message, "negative shift by -1 in 'M << K - 9' at column 1");
  EXPECT_EQ(evaluation_error("M >> 64").message, "shift by more than 63: 64 in 'M >> 64' at column 1");
}

TEST(ExprError, UnknownNameListsTheNamesThatExistClosestFirst) {
  const Error error = evaluation_error("M * num_sm");
  EXPECT_EQ(error.message, "unknown name 'num_sm' at column 5");
  EXPECT_EQ(error.hint.substr(0, 26), "names that exist: num_sms,") << error.hint;
  EXPECT_THAT(error.hint, HasSubstr("highest"));
}

TEST(ExprError, UnknownFunctionOrArgumentSaysBoth) {
  const Error error = evaluation_error("1 + sizeof(y)");
  EXPECT_EQ(error.message, "unknown 'sizeof(y)' at column 5");
  EXPECT_EQ(error.hint.substr(0, 28), "names that exist: sizeof(x),") << error.hint;
}

TEST(ExprError, EvaluationStopsAtTheFirstError) {
  EXPECT_THAT(evaluation_error("M / 0 + nothing").message, HasSubstr("division by zero"));
  EXPECT_THAT(evaluation_error("min(1, nothing, 1 / 0)").message, HasSubstr("unknown name 'nothing'"));
}

TEST(ExprError, SyntaxErrorsSayWhatWasExpectedWhere) {
  EXPECT_EQ(parse_error("").message, "expected a number, a name or '(', found the end at column 1");
  EXPECT_EQ(parse_error("M +").message, "expected a number, a name or '(', found the end at column 4");
  EXPECT_EQ(parse_error("M + * K").message, "expected a number, a name or '(', found '*' at column 5");
  EXPECT_EQ(parse_error("M K").message, "expected an operator or the end, found 'K' at column 3");
  EXPECT_EQ(parse_error("(M + 1").message, "expected ')', found the end at column 7");
  EXPECT_EQ(parse_error("M ? 1").message, "expected ':' of the conditional, found the end at column 6");
  EXPECT_EQ(parse_error("min(1; 2)").message,
            "expected ',' or ')' in the arguments of min, found ';' at column 6");
  EXPECT_EQ(parse_error("M = 3").message,
            "expected an operator ('==' compares; nothing is assigned), found '=' at column 3");
  EXPECT_EQ(parse_error("1)").message, "expected an operator or the end, found ')' at column 2");
}

TEST(ExprError, FunctionsCheckTheirArguments) {
  EXPECT_EQ(parse_error("1 + ceil_div(M)").message, "ceil_div takes 2 argument(s), not 1 at column 5");
  EXPECT_EQ(parse_error("round_up(1, 2, 3)").message, "round_up takes 2 argument(s), not 3 at column 1");
  EXPECT_EQ(parse_error("min()").message, "min takes at least 1 argument(s), not 0 at column 1");
  EXPECT_THAT(parse_error("sizeof(1)").message,
              HasSubstr("expected one name as the argument of function 'sizeof'"));
  EXPECT_THAT(parse_error("pow(M, 2)").message,
              HasSubstr("expected one name as the argument of function 'pow'"));
}

TEST(ExprError, LiteralsThatAreNoInt64AreRefused) {
  EXPECT_EQ(parse_error("1+9223372036854775808").message,
            "literal '9223372036854775808' does not fit int64 at column 3");
  EXPECT_THAT(parse_error("-9223372036854775809").message, HasSubstr("does not fit int64"));
  EXPECT_THAT(parse_error("99999999999999999999999").message, HasSubstr("does not fit int64"));
  EXPECT_THAT(parse_error("0xffffffffffffffff").message, HasSubstr("does not fit int64"));
  EXPECT_THAT(parse_error("1.5").message, HasSubstr("'1.5' is not an integer"));
  EXPECT_THAT(parse_error("1e3").message, HasSubstr("'1e3' is not an integer"));
  EXPECT_THAT(parse_error("4096ULL").message, HasSubstr("'4096ULL' is not an integer"));
  EXPECT_THAT(parse_error("0x").message, HasSubstr("'0x' is not an integer"));
  EXPECT_THAT(parse_error("010").message, HasSubstr("'010' begins with 0"));
}

TEST(ExprError, ForeignBytesAreNamedByNumber) {
  EXPECT_THAT(parse_error("M \xc3\x97 2").message, HasSubstr("found byte 195 at column 3"));
  EXPECT_THAT(parse_error(std::string_view("1\0+1", 4)).message, HasSubstr("found byte 0 at column 2"));
}

TEST(ExprError, NestingHasALimit) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "1" + std::string(levels, ')');
  };
  EXPECT_TRUE(Expr::parse(nested(200)));
  EXPECT_THAT(parse_error(nested(201)).message, HasSubstr("nested more than 200 levels deep"));
  EXPECT_THAT(parse_error(std::string(4000, '(')).message, HasSubstr("nested more than 200"));
  EXPECT_THAT(parse_error(std::string(4000, '!') + "1").message, HasSubstr("nested more than 200"));
  std::string conditionals;
  for (int i = 0; i < 500; ++i) conditionals += "1?1:";
  EXPECT_THAT(parse_error(conditionals + "1").message, HasSubstr("nested more than 200"));
}

TEST(ExprError, TextHasALimit) {
  EXPECT_THAT(parse_error(std::string(5000, ' ') + "1").message, HasSubstr("longer than 4096"));
  std::string longest = "1";
  while (longest.size() + 2 <= 4096) longest += "+1";
  const auto expr = Expr::parse(longest);
  ASSERT_TRUE(expr) << expr.error().text();
  EXPECT_EQ(expr->evaluate({}).value(), static_cast<std::int64_t>((longest.size() + 1) / 2));
}

TEST(ExprError, LongNamesAndNumbersAreShortenedInMessages) {
  const std::string name(3000, 'n');
  EXPECT_LT(evaluation_error(name).message.size(), 300u);
  EXPECT_LT(evaluation_error("sizeof(" + name + ")").message.size(), 300u);
  EXPECT_LT(parse_error("1 " + name).message.size(), 300u);
  EXPECT_LT(parse_error(name + "(1)").message.size(), 300u);
  EXPECT_LT(parse_error(std::string(3000, '9')).message.size(), 300u);
}

TEST(ExprError, LongSubExpressionsAreShortenedInMessages) {
  std::string text = "1";
  while (text.size() < 1000) text += " + 1";
  const Error error = evaluation_error("(" + text + ") / 0");
  EXPECT_LT(error.message.size(), 300u);
  EXPECT_THAT(error.message, HasSubstr("..."));
}

}  // namespace
}  // namespace kgen::util
