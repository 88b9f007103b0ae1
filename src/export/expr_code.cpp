#include "export/expr_code.hpp"

#include "util/expr_node.hpp"

namespace kgen::exporting {
namespace {

using util::ExprOp;
using Node = util::Expr::Node;

std::string code(const Node& node);

std::string call(const char* function, const Node& node) {
  std::string text;
  for (const auto& child : node.children) text += (text.empty() ? "" : ", ") + code(*child);
  return std::string(function) + "(" + text + ")";
}

/// min and max of any number of arguments, two at a time.
std::string fold(const char* function, const Node& node) {
  std::string text = code(*node.children.front());
  for (std::size_t i = 1; i < node.children.size(); ++i)
    text = std::string(function) + "(" + text + ", " + code(*node.children[i]) + ")";
  return text;
}

std::string infix(const char* sign, const Node& node) {
  return "(" + code(*node.children[0]) + " " + sign + " " + code(*node.children[1]) + ")";
}

std::string truth(const Node& node) {
  return "(" + code(node) + " != 0)";
}

/// A comparison or a logical operation: 0 or 1.
std::string as_number(const std::string& condition) {
  return "std::int64_t{" + condition + "}";
}

std::string compare(const char* sign, const Node& node) {
  return as_number(infix(sign, node));
}

std::string logical(const char* sign, const Node& node) {
  return as_number(truth(*node.children[0]) + " " + sign + " " + truth(*node.children[1]));
}

std::string arithmetic(const Node& node) {
  switch (node.op) {
    case ExprOp::negate:
      return "subtract(0, " + code(*node.children[0]) + ")";
    case ExprOp::multiply:
      return call("multiply", node);
    case ExprOp::divide:
      return call("divide", node);
    case ExprOp::remainder:
      return call("remainder", node);
    case ExprOp::add:
      return call("add", node);
    case ExprOp::subtract:
      return call("subtract", node);
    case ExprOp::shift_left:
      return call("shift_left", node);
    case ExprOp::shift_right:
      return call("shift_right", node);
    case ExprOp::ceil_div:
      return call("ceil_div", node);
    case ExprOp::round_up:
      return call("round_up", node);
    case ExprOp::min:
      return fold("least", node);
    default:
      return fold("largest", node);
  }
}

std::string code(const Node& node) {
  switch (node.op) {
    case ExprOp::literal:
      return "std::int64_t{" + std::to_string(node.value) + "}";
    case ExprOp::name:
      return "v_" + node.name;
    case ExprOp::of_name:
      return node.name + "_of_" + node.argument;
    case ExprOp::logical_not:
      return as_number("!" + truth(*node.children[0]));
    case ExprOp::bit_not:
      return "(~" + code(*node.children[0]) + ")";
    case ExprOp::less:
      return compare("<", node);
    case ExprOp::less_equal:
      return compare("<=", node);
    case ExprOp::greater:
      return compare(">", node);
    case ExprOp::greater_equal:
      return compare(">=", node);
    case ExprOp::equal:
      return compare("==", node);
    case ExprOp::not_equal:
      return compare("!=", node);
    case ExprOp::bit_and:
      return infix("&", node);
    case ExprOp::bit_xor:
      return infix("^", node);
    case ExprOp::bit_or:
      return infix("|", node);
    case ExprOp::logical_and:
      return logical("&&", node);
    case ExprOp::logical_or:
      return logical("||", node);
    case ExprOp::conditional:
      return "(" + truth(*node.children[0]) + " ? " + code(*node.children[1]) + " : " +
             code(*node.children[2]) + ")";
    default:
      return arithmetic(node);
  }
}

}  // namespace

std::string expr_code(const util::Expr& expr) {
  const auto tree = util::parse_expr_tree(expr.text());
  return tree ? code(**tree) : "/* unreadable */";  // it was parsed before: never here
}

}  // namespace kgen::exporting
