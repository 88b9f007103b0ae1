#include "util/expr.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>
#include <utility>

#include "util/closest_names.hpp"
#include "util/expr_node.hpp"

namespace kgen::util {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

/// Walks one tree; every arithmetic step is checked.
class Evaluator {
 public:
  Evaluator(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  Result<std::int64_t> run(const Expr::Node& node) const {
    switch (node.op) {
      case ExprOp::literal:
        return node.value;
      case ExprOp::name:
        return name(node);
      case ExprOp::of_name:
        return of_name(node);
      case ExprOp::logical_and:
      case ExprOp::logical_or:
      case ExprOp::conditional:
        return short_circuit(node);
      case ExprOp::negate:
      case ExprOp::logical_not:
      case ExprOp::bit_not:
        return unary(node);
      case ExprOp::min:
      case ExprOp::max:
        return extreme(node);
      default:
        return binary(node);
    }
  }

 private:
  Result<std::int64_t> name(const Expr::Node& node) const {
    if (scope_.value)
      if (const auto value = scope_.value(node.name)) return *value;
    return unknown("unknown name " + quoted(node.name), node.name, node);
  }

  Result<std::int64_t> of_name(const Expr::Node& node) const {
    if (scope_.of_name)
      if (const auto value = scope_.of_name(node.name, node.argument)) return *value;
    const std::string written = node.name + "(" + node.argument + ")";
    return unknown("unknown " + quoted(written), written, node);
  }

  Result<std::int64_t> short_circuit(const Expr::Node& node) const {
    KGEN_TRY(const std::int64_t first, run(*node.children[0]));
    if (node.op == ExprOp::conditional) return run(*node.children[first != 0 ? 1 : 2]);
    const bool decided = (first != 0) == (node.op == ExprOp::logical_or);
    if (decided) return first != 0 ? 1 : 0;
    KGEN_TRY(const std::int64_t second, run(*node.children[1]));
    return second != 0 ? 1 : 0;
  }

  Result<std::int64_t> unary(const Expr::Node& node) const {
    KGEN_TRY(const std::int64_t operand, run(*node.children[0]));
    if (node.op == ExprOp::logical_not) return operand == 0 ? 1 : 0;
    if (node.op == ExprOp::bit_not) return ~operand;
    if (operand == kMin) return error("int64 overflow (-(" + std::to_string(operand) + "))", node);
    return -operand;
  }

  Result<std::int64_t> extreme(const Expr::Node& node) const {
    KGEN_TRY(std::int64_t best, run(*node.children[0]));
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      KGEN_TRY(const std::int64_t next, run(*node.children[i]));
      best = node.op == ExprOp::min ? std::min(best, next) : std::max(best, next);
    }
    return best;
  }

  Result<std::int64_t> binary(const Expr::Node& node) const {
    KGEN_TRY(const std::int64_t a, run(*node.children[0]));
    KGEN_TRY(const std::int64_t b, run(*node.children[1]));
    switch (node.op) {
      case ExprOp::less:
        return a < b;
      case ExprOp::less_equal:
        return a <= b;
      case ExprOp::greater:
        return a > b;
      case ExprOp::greater_equal:
        return a >= b;
      case ExprOp::equal:
        return a == b;
      case ExprOp::not_equal:
        return a != b;
      case ExprOp::bit_and:
        return a & b;
      case ExprOp::bit_xor:
        return a ^ b;
      case ExprOp::bit_or:
        return a | b;
      case ExprOp::shift_left:
      case ExprOp::shift_right:
        return shift(node, a, b);
      case ExprOp::add:
      case ExprOp::subtract:
      case ExprOp::multiply:
        return arithmetic(node, a, b);
      default:
        return division(node, a, b);
    }
  }

  Result<std::int64_t> arithmetic(const Expr::Node& node, std::int64_t a, std::int64_t b) const {
    std::int64_t result = 0;
    const bool overflow = node.op == ExprOp::add        ? __builtin_add_overflow(a, b, &result)
                          : node.op == ExprOp::subtract ? __builtin_sub_overflow(a, b, &result)
                                                        : __builtin_mul_overflow(a, b, &result);
    if (overflow) return binary_overflow(node, a, b);
    return result;
  }

  Result<std::int64_t> shift(const Expr::Node& node, std::int64_t a, std::int64_t b) const {
    if (b < 0 || b > 63)
      return error((b < 0 ? "negative shift by " : "shift by more than 63: ") + std::to_string(b), node);
    if (node.op == ExprOp::shift_right) return a >> b;
    const std::int64_t shifted = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
    if (shifted >> b != a) return binary_overflow(node, a, b);
    return shifted;
  }

  Result<std::int64_t> division(const Expr::Node& node, std::int64_t a, std::int64_t b) const {
    if (b == 0) return error("division by zero", node);
    if (a == kMin && b == -1) return binary_overflow(node, a, b);
    if (node.op == ExprOp::divide) return a / b;
    if (node.op == ExprOp::remainder) return a % b;
    const bool rounds_up = a % b != 0 && (a < 0) == (b < 0);
    const std::int64_t blocks = a / b + (rounds_up ? 1 : 0);
    if (node.op == ExprOp::ceil_div) return blocks;
    assert(node.op == ExprOp::round_up);
    std::int64_t result = 0;
    if (__builtin_mul_overflow(blocks, b, &result)) return binary_overflow(node, a, b);
    return result;
  }

  tl::unexpected<Error> binary_overflow(const Expr::Node& node, std::int64_t a, std::int64_t b) const {
    return error("int64 overflow (operands " + std::to_string(a) + " and " + std::to_string(b) + ")", node);
  }

  tl::unexpected<Error> error(const std::string& what, const Expr::Node& node) const {
    const std::string_view part = text_.substr(node.begin, node.end - node.begin);
    return fail(ErrorKind::bad_input,
                what + " in " + quoted(part) + " at column " + std::to_string(node.begin + 1));
  }

  tl::unexpected<Error> unknown(const std::string& what, std::string_view wanted,
                                const Expr::Node& node) const {
    std::vector<std::string> names = scope_.names ? scope_.names() : std::vector<std::string>();
    return fail(ErrorKind::bad_input, what + " at column " + std::to_string(node.begin + 1),
                "names that exist: " + closest_names(wanted, std::move(names)));
  }

  std::string_view text_;
  const Scope& scope_;
};

void collect(const Expr::Node& node, ExprOp op, std::string Expr::Node::* field,
             std::set<std::string>& found) {
  if (node.op == op) found.insert(node.*field);
  for (const auto& child : node.children) collect(*child, op, field, found);
}

std::vector<std::string> collected(const Expr::Node* root, ExprOp op, std::string Expr::Node::* field) {
  std::set<std::string> found;
  if (root != nullptr) collect(*root, op, field, found);
  return {found.begin(), found.end()};
}

bool is_condition(ExprOp op) {
  constexpr ExprOp kOps[] = {ExprOp::less,          ExprOp::less_equal, ExprOp::greater,
                             ExprOp::greater_equal, ExprOp::equal,      ExprOp::not_equal,
                             ExprOp::logical_and,   ExprOp::logical_or, ExprOp::logical_not};
  return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

bool is_literal_1(const Expr::Node& node) {
  return node.op == ExprOp::literal && node.value == 1;
}

/// Whether the node says yes or no: a comparison, what is 1 at most, or arithmetic of such alone.
bool says_yes_or_no(const Expr::Node& node) {
  constexpr ExprOp kOfTruths[] = {ExprOp::multiply, ExprOp::add,     ExprOp::subtract, ExprOp::min,
                                  ExprOp::max,      ExprOp::bit_and, ExprOp::bit_or,   ExprOp::bit_xor};
  if (is_condition(node.op)) return true;
  const auto is_one = [](const auto& child) { return is_literal_1(*child); };
  if (node.op == ExprOp::min && std::ranges::any_of(node.children, is_one)) return true;
  if (std::ranges::find(kOfTruths, node.op) == std::end(kOfTruths)) return false;
  return !std::ranges::all_of(node.children, is_one) &&
         std::ranges::all_of(node.children,
                             [&](const auto& child) { return is_one(child) || says_yes_or_no(*child); });
}

/// An operand of a comparison as it is written: in parentheses where it binds more loosely.
std::string operand_text(std::string_view text, const Expr::Node& node) {
  constexpr ExprOp kLoose[] = {ExprOp::bit_and, ExprOp::bit_or, ExprOp::bit_xor, ExprOp::conditional};
  const std::string part(text.substr(node.begin, node.end - node.begin));
  const bool is_loose = is_condition(node.op) || std::ranges::find(kLoose, node.op) != std::end(kLoose);
  return is_loose ? "(" + part + ")" : part;
}

struct FoundCondition {
  std::string text;
  bool of_operands = false;
};

/// Of so many operands a min or a max is a choice: of hundreds each pair would be tens of thousands.
constexpr std::size_t kMostOperands = 8;

/// Which operand a min or a max takes: a comparison of each two, of the first kMostOperands. One with a small
/// literal, max(blocks, 1), is a guard against nothing and no choice.
void collect_comparisons(std::string_view text, const Expr::Node& node, std::vector<FoundCondition>& found) {
  const auto is_guard = [](const auto& child) { return child->op == ExprOp::literal && child->value <= 1; };
  if ((node.op != ExprOp::min && node.op != ExprOp::max) || std::ranges::any_of(node.children, is_guard))
    return;
  const std::size_t operands = std::min(node.children.size(), kMostOperands);
  for (std::size_t i = 0; i < operands; ++i)
    for (std::size_t k = i + 1; k < operands; ++k)
      found.push_back(
          {operand_text(text, *node.children[i]) + " < " + operand_text(text, *node.children[k]), true});
}

/// `inside`: the node is part of a condition that was found, whose parts are none of their own.
void collect_conditions(std::string_view text, const Expr::Node& node, bool inside,
                        std::vector<FoundCondition>& found) {
  const auto add = [&](const Expr::Node& part) {
    found.push_back({std::string(text.substr(part.begin, part.end - part.begin)), false});
  };
  const bool is_own = says_yes_or_no(node);
  if (!inside && is_own) add(node);
  if (!inside && !is_own) collect_comparisons(text, node, found);
  const bool is_choice = node.op == ExprOp::conditional;
  if (is_choice) add(*node.children[0]);
  for (std::size_t i = 0; i < node.children.size(); ++i)
    collect_conditions(text, *node.children[i], is_choice ? i == 0 : inside || is_own, found);
}

}  // namespace

Result<Expr> Expr::parse(std::string_view text) {
  KGEN_TRY(std::unique_ptr<Node> root, parse_expr_tree(text));
  Expr expr;
  expr.text_ = std::string(text);
  expr.names_ = collected(root.get(), ExprOp::name, &Node::name);
  expr.root_ = std::move(root);
  return expr;
}

Result<std::int64_t> Expr::evaluate(const Scope& scope) const {
  if (root_ == nullptr) return fail(ErrorKind::internal, "an empty expression was evaluated");
  return Evaluator(text_, scope).run(*root_);
}

bool Expr::mentions(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end();
}

std::vector<ExprCondition> Expr::conditions() const {
  std::vector<FoundCondition> found;
  if (root_ != nullptr) collect_conditions(text_, *root_, false, found);
  std::vector<ExprCondition> out;
  for (const auto& [text, of_operands] : found)
    if (auto part = parse(text)) out.push_back({std::move(*part), of_operands});
  return out;
}

std::vector<std::string> Expr::name_arguments() const {
  return collected(root_.get(), ExprOp::of_name, &Node::argument);
}

}  // namespace kgen::util
