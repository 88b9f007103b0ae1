#include "harness/judge/source_constants.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <string>

namespace kgen::judge {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 31;
constexpr std::size_t kMostConstants = 512;

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

}  // namespace

std::vector<std::int64_t> source_constants(std::string_view source) {
  std::set<std::int64_t> found;
  for (std::size_t at = 0; at < source.size() && found.size() < kMostConstants;) {
    if (!is_word(source[at])) {
      ++at;
      continue;
    }
    const std::size_t end = token_end(source, at);
    if (std::isdigit(static_cast<unsigned char>(source[at])) != 0) {
      std::int64_t value = value_of(source.substr(at, end - at));
      if (value > 0 && value <= 31 && is_shift_of_one(source, at)) value = std::int64_t{1} << value;
      if (value >= 2 && value <= kMost) found.insert(value);
    }
    at = end;
  }
  return {found.begin(), found.end()};
}

}  // namespace kgen::judge
