// Precedence climbing: two stack frames a nesting level instead of one for each of C's eleven levels.
#include <array>
#include <charconv>
#include <utility>

#include "util/expr_node.hpp"

namespace kgen::util {
namespace {

constexpr int kMaxNesting = 200;
// Long left-associative chains make trees as deep as they are long: this bounds the stack of whoever walks
// one.
constexpr std::size_t kMaxTextBytes = 4096;

struct BinaryOperator {
  std::string_view symbol;
  int precedence;
  ExprOp op;
};

// Longer symbols first: "<<" and "<=" must win over "<".
constexpr std::array<BinaryOperator, 18> kBinaryOperators{{
    {"||", 1, ExprOp::logical_or},
    {"&&", 2, ExprOp::logical_and},
    {"==", 6, ExprOp::equal},
    {"!=", 6, ExprOp::not_equal},
    {"<<", 8, ExprOp::shift_left},
    {">>", 8, ExprOp::shift_right},
    {"<=", 7, ExprOp::less_equal},
    {">=", 7, ExprOp::greater_equal},
    {"<", 7, ExprOp::less},
    {">", 7, ExprOp::greater},
    {"|", 3, ExprOp::bit_or},
    {"^", 4, ExprOp::bit_xor},
    {"&", 5, ExprOp::bit_and},
    {"+", 9, ExprOp::add},
    {"-", 9, ExprOp::subtract},
    {"*", 10, ExprOp::multiply},
    {"/", 10, ExprOp::divide},
    {"%", 10, ExprOp::remainder},
}};

struct BuiltIn {
  std::string_view name;
  ExprOp op;
  std::size_t least_arguments;
  std::size_t most_arguments;
};

constexpr std::array<BuiltIn, 4> kBuiltIns{{
    {"ceil_div", ExprOp::ceil_div, 2, 2},
    {"round_up", ExprOp::round_up, 2, 2},
    {"min", ExprOp::min, 1, kMaxTextBytes},
    {"max", ExprOp::max, 1, kMaxTextBytes},
}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

class Parser {
 public:
  using NodePtr = std::unique_ptr<Expr::Node>;

  explicit Parser(std::string_view text) : text_(text) {}

  Result<NodePtr> parse() {
    KGEN_TRY(NodePtr root, conditional());
    if (!at_end()) return expected(after_operand());
    return root;
  }

 private:
  /// Counts how deep the parser is in its own recursion.
  struct Level {
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth_;
  };

  Result<NodePtr> conditional() {
    const Level level(depth_);
    if (depth_ > kMaxNesting) return too_deep();
    KGEN_TRY(NodePtr condition, binary(1));
    if (!take("?")) return condition;
    KGEN_TRY(NodePtr yes, conditional());
    if (!take(":")) return expected("':' of the conditional");
    KGEN_TRY(NodePtr no, conditional());
    NodePtr node = make(ExprOp::conditional, condition->begin, no->end);
    node->children.push_back(std::move(condition));
    node->children.push_back(std::move(yes));
    node->children.push_back(std::move(no));
    return node;
  }

  Result<NodePtr> binary(int least_precedence) {
    KGEN_TRY(NodePtr left, unary());
    while (const BinaryOperator* found = peek_operator()) {
      if (found->precedence < least_precedence) break;
      position_ += found->symbol.size();
      KGEN_TRY(NodePtr right, binary(found->precedence + 1));
      NodePtr node = make(found->op, left->begin, right->end);
      node->children.push_back(std::move(left));
      node->children.push_back(std::move(right));
      left = std::move(node);
    }
    return left;
  }

  Result<NodePtr> unary() {
    skip_space();
    const std::size_t begin = position_;
    const char symbol = peek();
    if (symbol != '-' && symbol != '!' && symbol != '~' && symbol != '+') return primary();
    const Level level(depth_);
    if (depth_ > kMaxNesting) return too_deep();
    ++position_;
    skip_space();
    // So that INT64_MIN can be written: its digits alone do not fit.
    if (symbol == '-' && is_digit(peek())) return literal(begin, true);
    KGEN_TRY(NodePtr operand, unary());
    if (symbol == '+') return operand;
    NodePtr node = make(symbol == '-'   ? ExprOp::negate
                        : symbol == '!' ? ExprOp::logical_not
                                        : ExprOp::bit_not,
                        begin, operand->end);
    node->children.push_back(std::move(operand));
    return node;
  }

  Result<NodePtr> primary() {
    if (is_digit(peek())) return literal(position_, false);
    if (is_name_start(peek())) return name_or_call();
    const std::size_t begin = position_;
    if (!take("(")) return expected("a number, a name or '('");
    KGEN_TRY(NodePtr inner, conditional());
    if (!take(")")) return expected("')'");
    inner->begin = begin;  // the parentheses belong to what a message shows
    inner->end = position_;
    return inner;
  }

  Result<NodePtr> literal(std::size_t begin, bool negative) {
    const std::size_t first = position_;
    while (is_name_part(peek()) || peek() == '.' || peek() == '\'') ++position_;
    const std::string_view word = text_.substr(first, position_ - first);
    const bool hex = word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    if (!hex && word.size() > 1 && word[0] == '0' && is_digit(word[1]))
      return error(quoted(word) + " begins with 0; write it in decimal or with 0x", first);
    const std::string_view digits = hex ? word.substr(2) : word;
    std::uint64_t magnitude = 0;
    const auto [stop, status] =
        std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
    if (stop != digits.data() + digits.size())
      return error(quoted(word) + " is not an integer (no fractions, exponents or suffixes)", first);
    const std::uint64_t limit = (std::uint64_t{1} << 63) - (negative ? 0 : 1);
    if (status == std::errc::result_out_of_range || magnitude > limit)
      return error("literal " + quoted(text_.substr(begin, position_ - begin)) + " does not fit int64",
                   begin);
    NodePtr node = make(ExprOp::literal, begin, position_);
    node->value = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
    return node;
  }

  Result<NodePtr> name_or_call() {
    const std::size_t begin = position_;
    std::string name = take_name();
    if (!take("(")) {
      NodePtr node = make(ExprOp::name, begin, begin + name.size());
      node->name = std::move(name);
      return node;
    }
    for (const BuiltIn& built_in : kBuiltIns)
      if (built_in.name == name) return call(built_in, begin);
    return of_name(std::move(name), begin);
  }

  Result<NodePtr> call(const BuiltIn& built_in, std::size_t begin) {
    NodePtr node = make(built_in.op, begin, begin);
    if (!take(")")) {
      do {
        KGEN_TRY(NodePtr argument, conditional());
        node->children.push_back(std::move(argument));
      } while (take(","));
      if (!take(")")) return expected("',' or ')' in the arguments of " + std::string(built_in.name));
    }
    node->end = position_;
    const std::size_t count = node->children.size();
    if (count < built_in.least_arguments || count > built_in.most_arguments) {
      const bool exact = built_in.least_arguments == built_in.most_arguments;
      return error(std::string(built_in.name) + " takes " + (exact ? "" : "at least ") +
                       std::to_string(built_in.least_arguments) + " argument(s), not " +
                       std::to_string(count),
                   begin);
    }
    return node;
  }

  Result<NodePtr> of_name(std::string function, std::size_t begin) {
    skip_space();
    const bool is_name = is_name_start(peek());
    std::string argument = is_name ? take_name() : std::string();
    if (!is_name || !take(")"))
      return expected("one name as the argument of function " + quoted(function) +
                      " (functions of values are ceil_div, round_up, min and max)");
    NodePtr node = make(ExprOp::of_name, begin, position_);
    node->name = std::move(function);
    node->argument = std::move(argument);
    return node;
  }

  static NodePtr make(ExprOp op, std::size_t begin, std::size_t end) {
    auto node = std::make_unique<Expr::Node>();
    node->op = op;
    node->begin = begin;
    node->end = end;
    return node;
  }

  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void skip_space() {
    while (position_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos)
      ++position_;
  }
  bool at_end() {
    skip_space();
    return position_ == text_.size();
  }
  bool take(std::string_view symbol) {
    skip_space();
    if (text_.substr(position_, symbol.size()) != symbol) return false;
    position_ += symbol.size();
    return true;
  }
  std::string take_name() {
    const std::size_t begin = position_;
    while (is_name_part(peek())) ++position_;
    return std::string(text_.substr(begin, position_ - begin));
  }
  const BinaryOperator* peek_operator() {
    skip_space();
    for (const BinaryOperator& candidate : kBinaryOperators)
      if (text_.substr(position_, candidate.symbol.size()) == candidate.symbol) return &candidate;
    return nullptr;
  }

  std::string after_operand() const {
    return peek() == '=' ? "an operator ('==' compares; nothing is assigned)" : "an operator or the end";
  }

  std::string found() {
    if (at_end()) return "the end";
    const char c = peek();
    if (is_name_part(c)) return quoted(take_name());
    if (c > ' ' && c <= '~') return quoted(std::string(1, c));
    return "byte " + std::to_string(static_cast<unsigned char>(c));
  }

  tl::unexpected<Error> expected(const std::string& what) {
    skip_space();
    const std::size_t place = position_;
    return error("expected " + what + ", found " + found(), place);
  }
  tl::unexpected<Error> too_deep() {
    return error("nested more than " + std::to_string(kMaxNesting) + " levels deep", position_);
  }
  static tl::unexpected<Error> error(const std::string& what, std::size_t place) {
    return fail(ErrorKind::bad_input, what + " at column " + std::to_string(place + 1));
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = -1;  // the outermost level is 0
};

}  // namespace

std::string quoted(std::string_view part) {
  constexpr std::size_t kMostBytes = 120;
  return "'" + std::string(part.substr(0, kMostBytes)) + (part.size() > kMostBytes ? "..." : "") + "'";
}

Result<std::unique_ptr<Expr::Node>> parse_expr_tree(std::string_view text) {
  if (text.size() > kMaxTextBytes)
    return fail(ErrorKind::bad_input, "expression of " + std::to_string(text.size()) +
                                          " bytes is longer than " + std::to_string(kMaxTextBytes));
  return Parser(text).parse();
}

}  // namespace kgen::util
