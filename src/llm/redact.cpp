#include "llm/redact.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace kgen::llm {
namespace {

constexpr std::string_view kMark = "[redacted]";
constexpr std::size_t kMinSecretBytes = 4;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '*' || c == '.';
}

/// First position at or after `from` whose character is one of `stops`, else the end.
std::size_t until(std::string_view text, std::string_view stops, std::size_t from) {
  return std::min(text.find_first_of(stops, from), text.size());
}

void replace_secret(std::string& text, const std::string& secret) {
  for (std::size_t at = text.find(secret); at != std::string::npos;
       at = text.find(secret, at + kMark.size())) {
    text.replace(at, secret.size(), kMark);
  }
}

/// scheme://user:password@host
void redact_url_users(std::string& text) {
  for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const std::size_t begin = at + 3;
    const std::size_t end = until(text, "/?# \t\r\n\"'<>", begin);
    const std::size_t user_end = std::string_view(text).substr(0, end).rfind('@');
    if (user_end != std::string::npos && user_end >= begin) text.replace(begin, user_end - begin, kMark);
  }
}

bool sounds_secret(std::string_view name) {
  constexpr std::array<std::string_view, 7> kWords = {"key", "token", "secret", "passw",
                                                      "pwd", "sig",   "auth"};
  const std::string small = lower(name);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

/// ?key=value and &token=value
void redact_url_parameters(std::string& text) {
  for (std::size_t at = text.find_first_of("?&"); at != std::string::npos;
       at = text.find_first_of("?&", at + 1)) {
    std::size_t equals = at + 1;
    while (equals < text.size() && is_word(text[equals])) ++equals;
    if (equals >= text.size() || text[equals] != '=') continue;
    if (!sounds_secret(std::string_view(text).substr(at + 1, equals - at - 1))) continue;
    const std::size_t end = until(text, "&# \t\r\n\"'<>", equals + 1);
    text.replace(equals + 1, end - equals - 1, kMark);
  }
}

/// `Authorization: Basic abc`, `"x-api-key": "abc"`: the value up to the line's end or the closing quote.
void redact_headers(std::string& text, std::string_view name) {
  std::string small = lower(text);
  for (std::size_t at = small.find(name); at != std::string::npos; at = small.find(name, at + name.size())) {
    std::size_t begin = small.find_first_not_of("\"' \t", at + name.size());
    if (begin == std::string::npos || (small[begin] != ':' && small[begin] != '=')) continue;
    begin = std::min(small.find_first_not_of("\"' \t", begin + 1), small.size());
    if (small.compare(begin, kMark.size(), kMark) == 0) continue;
    const std::size_t end = until(text, "\r\n\"'", begin);
    if (end == begin) continue;
    text.replace(begin, end - begin, kMark);
    small = lower(text);
  }
}

/// Words of at least `min_tail` characters behind `prefix`, such as "sk-..." or "bearer ...".
void redact_prefixed(std::string& text, std::string_view prefix, bool keep_prefix, std::size_t min_tail) {
  std::string small = lower(text);
  for (std::size_t at = small.find(prefix); at != std::string::npos; at = small.find(prefix, at + 1)) {
    if (at > 0 && is_word(small[at - 1])) continue;
    std::size_t end = at + prefix.size();
    while (end < text.size() &&
           (is_word(text[end]) || text[end] == '/' || text[end] == '+' || text[end] == '='))
      ++end;
    if (end - at - prefix.size() < min_tail) continue;
    const std::size_t begin = keep_prefix ? at + prefix.size() : at;
    text.replace(begin, end - begin, kMark);
    small = lower(text);
  }
}

}  // namespace

std::string without_known(std::string_view text, std::vector<std::string> secrets) {
  std::string out(text);
  std::sort(secrets.begin(), secrets.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });  // longest first
  for (const std::string& secret : secrets) {
    if (secret.size() >= kMinSecretBytes) replace_secret(out, secret);
  }
  return out;
}

std::string redact(std::string_view text, const std::vector<std::string>& secrets) {
  std::string out = without_known(text, secrets);
  redact_url_users(out);
  redact_url_parameters(out);
  for (const std::string_view name : {"authorization", "api-key", "api_key", "cookie"})
    redact_headers(out, name);
  redact_prefixed(out, "bearer ", true, kMinSecretBytes);
  redact_prefixed(out, "sk-", false, kMinSecretBytes);
  return out;
}

}  // namespace kgen::llm
