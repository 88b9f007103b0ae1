#include "util/expr.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace kgen::util {
namespace {

const std::map<std::string, std::int64_t, std::less<>> kNames{
    {"M", 4096}, {"K", 8}, {"BM", 128}, {"zero", 0}};

Scope scope() {
  Scope result;
  result.value = [](std::string_view name) -> std::optional<std::int64_t> {
    const auto found = kNames.find(name);
    return found == kNames.end() ? std::nullopt : std::optional(found->second);
  };
  result.of_name = [](std::string_view function, std::string_view argument) -> std::optional<std::int64_t> {
    if (function == "sizeof" && argument == "x") return 2;
    return std::nullopt;
  };
  return result;
}

std::int64_t value_of(std::string_view text) {
  const auto expr = Expr::parse(text);
  EXPECT_TRUE(expr) << text << ": " << (expr ? "" : expr.error().text());
  if (!expr) return -999;
  const auto value = expr->evaluate(scope());
  EXPECT_TRUE(value) << text << ": " << (value ? "" : value.error().text());
  return value.value_or(-999);
}

TEST(Expr, FollowsPrecedenceOfC) {
  EXPECT_EQ(value_of("2 + 3 * 4"), 14);
  EXPECT_EQ(value_of("(2 + 3) * 4"), 20);
  EXPECT_EQ(value_of("1 << 2 + 3"), 32);
  EXPECT_EQ(value_of("1 | 6 ^ 3 & 5"), 1 | (6 ^ (3 & 5)));
  EXPECT_EQ(value_of("6 & 3 == 3"), 6 & 1);
  EXPECT_EQ(value_of("1 < 2 == 1"), 1);
  EXPECT_EQ(value_of("0 && 0 || 1"), 1);
  EXPECT_EQ(value_of("1 || 0 && 0"), 1);
  EXPECT_EQ(value_of("1 + 1 ? 2 : 3"), 2);
}

TEST(Expr, IsLeftAssociative) {
  EXPECT_EQ(value_of("100 - 10 - 1"), 89);
  EXPECT_EQ(value_of("100 / 10 / 5"), 2);
  EXPECT_EQ(value_of("100 - 10 + 1"), 91);
  EXPECT_EQ(value_of("1 << 3 >> 1"), 4);
}

TEST(Expr, ConditionalIsRightAssociative) {
  EXPECT_EQ(value_of("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value_of("1 ? 0 ? 1 : 2 : 3"), 2);
}

TEST(Expr, DivisionTruncatesTowardsZero) {
  EXPECT_EQ(value_of("-7 / 2"), -3);
  EXPECT_EQ(value_of("-7 % 2"), -1);
  EXPECT_EQ(value_of("7 / -2"), -3);
  EXPECT_EQ(value_of("7 % -2"), 1);
}

TEST(Expr, ComparisonsGiveZeroOrOne) {
  EXPECT_EQ(value_of("3 > 2"), 1);
  EXPECT_EQ(value_of("3 >= 4"), 0);
  EXPECT_EQ(value_of("3 <= 3"), 1);
  EXPECT_EQ(value_of("3 != 3"), 0);
  EXPECT_EQ(value_of("(5 && 7) + (0 || 9)"), 2);
}

TEST(Expr, UnaryOperators) {
  EXPECT_EQ(value_of("-M"), -4096);
  EXPECT_EQ(value_of("!M + !zero"), 1);
  EXPECT_EQ(value_of("~0"), -1);
  EXPECT_EQ(value_of("- -3"), 3);
  EXPECT_EQ(value_of("2 - -3"), 5);
  EXPECT_EQ(value_of("+5"), 5);
}

TEST(Expr, ReadsDecimalAndHexadecimal) {
  EXPECT_EQ(value_of("0"), 0);
  EXPECT_EQ(value_of("0xFF + 0X10"), 271);
  EXPECT_EQ(value_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value_of("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of("0x7fffffffffffffff"), std::numeric_limits<std::int64_t>::max());
}

TEST(Expr, BuiltInFunctions) {
  EXPECT_EQ(value_of("ceil_div(10, 4)"), 3);
  EXPECT_EQ(value_of("ceil_div(8, 4)"), 2);
  EXPECT_EQ(value_of("ceil_div(0, 4)"), 0);
  EXPECT_EQ(value_of("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(value_of("ceil_div(-7, -2)"), 4);
  EXPECT_EQ(value_of("ceil_div(9223372036854775807, 2)"), 4611686018427387904);
  EXPECT_EQ(value_of("round_up(10, 4)"), 12);
  EXPECT_EQ(value_of("round_up(12, 4)"), 12);
  EXPECT_EQ(value_of("min(3, 1, 2)"), 1);
  EXPECT_EQ(value_of("max(3, 9, M)"), 4096);
  EXPECT_EQ(value_of("max(7)"), 7);
}

TEST(Expr, ReadsNamesAndFunctionsOfNames) {
  EXPECT_EQ(value_of("ceil_div(M, BM) * sizeof( x )"), 64);
  EXPECT_EQ(value_of("M%K==0"), 1);
}

TEST(Expr, ShortCircuitSkipsErrorsInTheBranchNotTaken) {
  EXPECT_EQ(value_of("zero && 1 / zero"), 0);
  EXPECT_EQ(value_of("1 || nonsense"), 1);
  EXPECT_EQ(value_of("zero != 0 ? M / zero : 5"), 5);
  EXPECT_EQ(value_of("1 ? 6 : sizeof(nonsense)"), 6);
  EXPECT_EQ(value_of("0 && (1 << 99) || 1"), 1);
}

TEST(Expr, ShiftsAreArithmetic) {
  EXPECT_EQ(value_of("-8 >> 1"), -4);
  EXPECT_EQ(value_of("-1 << 63"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of("-1 >> 63"), -1);
}

TEST(Expr, SpaceIsFree) {
  EXPECT_EQ(value_of(" \t1\n+\r\n2 "), 3);
}

TEST(Expr, ListsNamesSortedOnceEach) {
  const auto expr = Expr::parse("M + K * M + sizeof(x) + min(BM, bytes(q)) + sizeof(x)");
  ASSERT_TRUE(expr);
  EXPECT_EQ(expr->names(), (std::vector<std::string>{"BM", "K", "M"}));
  EXPECT_EQ(expr->name_arguments(), (std::vector<std::string>{"q", "x"}));
  EXPECT_EQ(expr->text(), "M + K * M + sizeof(x) + min(BM, bytes(q)) + sizeof(x)");
}

std::vector<std::string> conditions_in(const std::string& text) {
  std::vector<std::string> out;
  for (const auto& condition : Expr::parse(text)->conditions()) out.push_back(condition.expr.text());
  return out;
}

TEST(Expr, ConditionsAreWhatSaysYesOrNoWhereverItStands) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(conditions_in("M > 4"), Texts{"M > 4"});
  EXPECT_EQ(conditions_in("M > 4 && (K == 2 || N != 1)"), Texts{"M > 4 && (K == 2 || N != 1)"});
  EXPECT_EQ(conditions_in("8 * (M > 4) + K"), Texts{"(M > 4)"});
  EXPECT_EQ(conditions_in("7 * ((M % 3 == 1) * (1 - min(K, 1)))"), Texts{"((M % 3 == 1) * (1 - min(K, 1)))"});
  EXPECT_EQ(conditions_in("ceil_div(M, 4) * min(K % 5, 1)"), Texts{"min(K % 5, 1)"});
  EXPECT_EQ(conditions_in("M % 2 ? K > 1 : 3"), (Texts{"M % 2", "K > 1"}));
  EXPECT_EQ(conditions_in("(M ? K : N) > 2 ? 1 : 2"), (Texts{"(M ? K : N) > 2", "M"}));
  EXPECT_EQ(conditions_in("1 * 1 - max(K, 1)"), Texts{});
}

TEST(Expr, AMinOrAMaxIsAChoiceOfItsOperands) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(conditions_in("min(M, 8) + 1 - max(K / 2, N)"), (Texts{"M < 8", "K / 2 < N"}));
  EXPECT_EQ(conditions_in("min(M | 1, K ? 2 : 3, N)"),
            (Texts{"(M | 1) < (K ? 2 : 3)", "(M | 1) < N", "(K ? 2 : 3) < N", "K"}));
  EXPECT_EQ(conditions_in("max(1, min(16, K / 32))"), Texts{"16 < K / 32"});
  EXPECT_EQ(conditions_in("max(K, 1) * min(M, 0)"), Texts{});
  EXPECT_EQ(conditions_in("min(M, 8) > 4"), Texts{"min(M, 8) > 4"});
}

TEST(Expr, ConditionsSayWhetherTheyAreOfOperands) {
  const auto conditions = Expr::parse("M < 8 ? min(K, N) : 3")->conditions();
  ASSERT_EQ(conditions.size(), 2U);
  EXPECT_FALSE(conditions[0].of_operands);
  EXPECT_EQ(conditions[1].expr.text(), "K < N");
  EXPECT_TRUE(conditions[1].of_operands);
}

TEST(Expr, AMinOfHundredsIsAFewChoices) {
  std::string text = "min(M";
  for (int i = 2; i < 400; ++i) text += ", M + " + std::to_string(i);
  EXPECT_EQ(conditions_in(text + ")").size(), 28U) << "pairs of the first eight";
}

TEST(Expr, CopiesShareTheTree) {
  auto original = Expr::parse("M + 1");
  ASSERT_TRUE(original);
  const Expr copy = *original;
  original = Expr::parse("0");
  EXPECT_EQ(copy.evaluate(scope()).value(), 4097);
}

}  // namespace
}  // namespace kgen::util
