#include "harness/judge/source_constants.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <string>

#include "harness/judge/source_parts.hpp"
#include "util/expr.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 31;
constexpr std::size_t kMostConstants = 512, kMostReals = 64;
/// Of a source: literals at which an expression is looked for, and at each how many that fail to parse.
constexpr std::size_t kMostFolds = 1 << 16;
constexpr int kMostParses = 8;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// End of the number or word that begins at `at`; digit separators and the points of reals belong to it.
std::size_t token_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_word(text[end]) || text[end] == '.' || text[end] == '\'')) ++end;
  return end;
}

/// Value of an integer literal; 0 where the token is none (a real, a word) or is too large.
std::int64_t value_of(std::string_view token) {
  std::string digits;
  for (const char c : token) {
    if (c != '\'') digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'l')) digits.pop_back();
  int base = 10;
  if (digits.starts_with("0x")) base = 16;
  if (digits.starts_with("0b")) base = 2;
  if (base != 10) digits.erase(0, 2);
  if (base == 10 && digits.size() > 1 && digits.front() == '0') base = 8;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
}

/// Whether `1 <<` stands before `at`.
bool is_shift_of_one(std::string_view text, std::size_t at) {
  const auto back_over_blanks = [&] {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  };
  back_over_blanks();
  if (at < 2 || text.substr(at - 2, 2) != "<<") return false;
  at -= 2;
  back_over_blanks();
  const std::size_t end = at;
  while (at > 0 && is_word(text[at - 1])) --at;
  return value_of(text.substr(at, end - at)) == 1;
}

/// Whether a character may stand between the literals of an expression of literals.
bool joins_literals(char c) {
  return c == ' ' || c == '\t' || c == '+' || c == '-' || c == '*' || c == '/' || c == '%' || c == '(' ||
         c == ')' || c == '<' || c == '>';
}

/// Value of the longest expression of literals and operators that begins at `at` ("41 * 83 + 4"); 0: there is
/// none, or it is the literal alone.
std::int64_t folded_value(std::string_view source, std::size_t at) {
  std::string text;
  std::vector<std::size_t> ends;  // of what ends with a literal
  while (at < source.size() && text.size() < 200) {
    if (joins_literals(source[at])) {
      text += source[at++];
      continue;
    }
    const std::size_t end = token_end(source, at);
    const std::int64_t literal = end == at ? 0 : value_of(source.substr(at, end - at));
    if (literal == 0 && source.substr(at, end - at) != "0") break;
    text += std::to_string(literal);
    at = end;
    ends.push_back(text.size());
  }
  for (int parses = 0; ends.size() >= 2 && parses < kMostParses; ++parses, ends.pop_back()) {
    const auto expression = util::Expr::parse(std::string_view(text).substr(0, ends.back()));
    if (!expression) continue;
    if (const auto value = expression->evaluate({})) return *value;
  }
  return 0;
}

/// Value of a real literal with a positive value in f32; 0 where the token is none. Exponents with a sign end
/// a token ("1e" and "5f"), so the text behind it is needed.
double real_of(std::string_view text, std::size_t at) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  const std::string_view token(text.data() + at, static_cast<std::size_t>(end - text.data()) - at);
  if (token.find_first_of(".eE") == std::string_view::npos) return 0;
  const auto narrow = value > 3.4e38 ? 0.0 : static_cast<double>(static_cast<float>(value));
  return std::isnormal(narrow) && narrow > 0 ? narrow : 0;
}

/// Calls visit(begin, end) for each word or number.
template <class Visit>
void for_each_word(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = token_end(text, at);
    visit(at, end);
    at = end;
  }
}

bool begins_number(std::string_view text, std::size_t at) {
  return std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

std::vector<std::int64_t> without(const std::vector<std::int64_t>& numbers,
                                  const std::vector<std::int64_t>& known) {
  std::vector<std::int64_t> out;
  std::set_difference(numbers.begin(), numbers.end(), known.begin(), known.end(), std::back_inserter(out));
  return out;
}

std::vector<std::int64_t> united(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

}  // namespace

std::vector<std::int64_t> source_constants(std::string_view source) {
  std::set<std::int64_t> found;
  std::size_t folds = 0;
  for_each_word(source, [&](std::size_t at, std::size_t end) {
    if (!begins_number(source, at) || found.size() >= kMostConstants) return;
    std::int64_t value = value_of(source.substr(at, end - at));
    if (value > 0 && value <= 31 && is_shift_of_one(source, at)) value = std::int64_t{1} << value;
    const std::int64_t folded = ++folds <= kMostFolds ? folded_value(source, at) : 0;
    for (const std::int64_t number : {value, folded})
      if (number >= 2 && number <= kMost) found.insert(number);
  });
  return {found.begin(), found.end()};
}

std::vector<double> source_reals(std::string_view source) {
  std::set<double> found;
  for_each_word(source, [&](std::size_t at, std::size_t) {
    if (!begins_number(source, at) || found.size() >= kMostReals) return;
    if (const double value = real_of(source, at); value > 0) found.insert(value);
  });
  return {found.begin(), found.end()};
}

std::vector<std::int64_t> SourceNumbers::all() const {
  return united(united(code, plan), comments);
}

SourceNumbers source_numbers(std::string_view source) {
  const SourceParts parts = source_parts(source);
  SourceNumbers out;
  out.code = source_constants(parts.code);
  out.plan = without(source_constants(parts.plan), out.code);
  out.comments = without(source_constants(parts.comments), united(out.code, out.plan));
  out.reals = source_reals(parts.code + " " + parts.plan);
  return out;
}

}  // namespace kgen::judge
