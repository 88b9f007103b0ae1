#include "export/expr_code.hpp"

#include <gtest/gtest.h>

namespace kgen::exporting {
namespace {

std::string code(const std::string& text) {
  return expr_code(util::Expr::parse(text).value());
}

TEST(ExprCode, ArithmeticIsCheckedAndNamesAreMembers) {
  EXPECT_EQ(code("rows * (cols + 1)"), "multiply(v_rows, add(v_cols, std::int64_t{1}))");
  EXPECT_EQ(code("-a % b / c"), "divide(remainder(subtract(0, v_a), v_b), v_c)");
  EXPECT_EQ(code("ceil_div(M, 64) << 2"), "shift_left(ceil_div(v_M, std::int64_t{64}), std::int64_t{2})");
  EXPECT_EQ(code("min(a, b, 3)"), "least(least(v_a, v_b), std::int64_t{3})");
}

TEST(ExprCode, LogicStaysAShortCircuit) {
  EXPECT_EQ(code("b != 0 && a / b > 2"),
            "std::int64_t{(std::int64_t{(v_b != std::int64_t{0})} != 0) && (std::int64_t{(divide(v_a, v_b) > "
            "std::int64_t{2})} != 0)}");
  EXPECT_EQ(code("a ? b : 1"), "((v_a != 0) ? v_b : std::int64_t{1})");
  EXPECT_EQ(code("!a"), "std::int64_t{!(v_a != 0)}");
}

TEST(ExprCode, FunctionsOfNamesAreMembersToo) {
  EXPECT_EQ(code("16 / sizeof(x)"), "divide(std::int64_t{16}, sizeof_of_x)");
  EXPECT_EQ(code("dtype(x) == bf16"), "std::int64_t{(dtype_of_x == v_bf16)}");
}

}  // namespace
}  // namespace kgen::exporting
