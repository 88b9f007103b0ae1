#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "util/expr.hpp"

namespace kgen::util {

/// What one node of an expression's tree computes.
enum class ExprOp {
  literal,
  name,
  of_name,
  negate,
  logical_not,
  bit_not,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  conditional,
  ceil_div,
  round_up,
  min,
  max,
};

/// One node of the tree; [begin, end) is its place in the text, for messages.
struct Expr::Node {
  ExprOp op = ExprOp::literal;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::int64_t value = 0;  ///< of a literal
  std::string name;        ///< of a name; the function of an of_name
  std::string argument;    ///< of an of_name
  std::vector<std::unique_ptr<Node>> children;
};

/// The tree of `text`. Errors: as Expr::parse.
Result<std::unique_ptr<Expr::Node>> parse_expr_tree(std::string_view text);

/// A part of the text as messages show it: in quotes, a long one cut short.
std::string quoted(std::string_view part);

}  // namespace kgen::util
