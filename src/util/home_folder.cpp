#include "util/home_folder.hpp"

#include <cctype>
#include <cstdlib>

namespace kgen::util {
namespace {

/// Whether a path that ends before `at` ends there: "/u/me" is no part of "/u/melissa".
bool ends_name(std::string_view text, std::size_t at) {
  if (at >= text.size()) return true;
  const auto c = static_cast<unsigned char>(text[at]);
  return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.';
}

}  // namespace

std::string home_folder() {
  const char* value = std::getenv("HOME");
  std::string home = value == nullptr ? "" : value;
  while (home.ends_with('/')) home.pop_back();
  return home.size() < 3 || home[0] != '/' ? "" : home;
}

std::string shorten_home(std::string_view text, std::string_view home) {
  std::string out;
  std::size_t from = 0;
  while (!home.empty()) {
    const std::size_t at = text.find(home, from);
    if (at == std::string_view::npos) break;
    const bool behind_escape = at >= 2 && text[at - 2] == '\\';  // "\n/u/me" in JSON
    const bool begins = at == 0 || behind_escape || ends_name(text, at - 1);
    out += text.substr(from, at - from);
    out += begins && ends_name(text, at + home.size()) ? "~" : home;
    from = at + home.size();
  }
  return out += text.substr(from);
}

std::string expand_home(std::string_view text, std::string_view home) {
  constexpr std::string_view kBefore = " \t\"'=:,";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || kBefore.find(text[i - 1]) != std::string_view::npos;
    const bool is_home = text[i] == '~' && begins && (i + 1 == text.size() || text[i + 1] == '/');
    if (is_home && !home.empty()) {
      out += home;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace kgen::util
