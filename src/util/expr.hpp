#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"

namespace kgen::util {

/// Where an expression finds its names.
struct Scope {
  /// Value of a plain name (a dim, a tunable, `num_sms`), or nothing where there is no such name.
  std::function<std::optional<std::int64_t>(std::string_view name)> value;
  /// Value of a function of one *name* such as sizeof(x), numel(x): `function` and `argument` as written.
  /// Nothing where `function` takes no such argument. Functions of values (ceil_div, round_up, min, max) are
  /// built in.
  std::function<std::optional<std::int64_t>(std::string_view function, std::string_view argument)> of_name;
  /// Every name that exists, for the message about one that does not; forms such as "sizeof(x)" may be among
  /// them.
  std::function<std::vector<std::string>()> names;
};

struct ExprCondition;

/// An int64 expression with C semantics: + - * / % (truncating), comparisons (0 or 1), && || ! ?:
/// (short-circuit),
/// << >> & | ^ ~, parentheses, decimal and 0x literals, and the functions ceil_div(a, b), round_up(a, b),
/// min(a, ...), max(a, ...). Overflow and division by zero are errors that say where.
class Expr {
 public:
  /// Errors: bad_input with the column and what was expected there. Nesting is limited to 200 levels, the
  /// text to 4096 bytes, so that no text can overflow the stack.
  static Result<Expr> parse(std::string_view text);

  /// Errors: bad_input naming the sub-expression for overflow, division by zero, a shift outside 0..63 and
  /// unknown names (with those that exist as the hint). What a short circuit skips is not evaluated and
  /// cannot fail.
  Result<std::int64_t> evaluate(const Scope& scope) const;

  /// Every plain name the expression mentions, sorted, once each; names inside of_name calls are not among
  /// them.
  const std::vector<std::string>& names() const { return names_; }
  /// Whether `name` is among names().
  bool mentions(std::string_view name) const;
  /// Names passed to of_name functions (x of sizeof(x)), sorted, once each.
  std::vector<std::string> name_arguments() const;

  /// What decides between branches: the condition of every ?: in it, what says yes or no wherever it stands
  /// (a comparison, or made of some), and for every min and max which of two operands is the less ("a < b"),
  /// but where one is a literal up to 1, of the first eight operands.
  std::vector<ExprCondition> conditions() const;

  const std::string& text() const { return text_; }

  struct Node;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Node> root_;
};

/// One of Expr::conditions().
struct ExprCondition {
  Expr expr;
  bool of_operands = false;  ///< which of two operands of a min or a max is the less
};

}  // namespace kgen::util
