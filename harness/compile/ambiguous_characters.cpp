#include "harness/compile/ambiguous_characters.hpp"

#include <array>
#include <cctype>
#include <cstdio>

namespace kgen::compile {
namespace {

std::string hexadecimal(unsigned char c) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02X", static_cast<unsigned>(c));
  return text.data();
}

std::string about_control_character(std::string_view rest) {
  const unsigned char c = static_cast<unsigned char>(rest.front());
  if (c == '\r') {
    return rest.starts_with("\r\n") ? ""
                                    : "a carriage return that no line feed follows is not accepted: end "
                                      "lines with a line feed";
  }
  const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
  if (!control) return "";
  return "the control character " + hexadecimal(c) + (c == 0 ? " (NUL)" : "") +
         " is not accepted: write blanks, and escapes such as \\n in strings";
}

std::string about_trigraph(std::string_view rest) {
  constexpr std::string_view kThird = "=/'()!<>-";
  if (!rest.starts_with("??") || rest.size() < 3 || kThird.find(rest[2]) == std::string_view::npos) return "";
  return "the trigraph " + std::string(rest.substr(0, 3)) +
         " is not accepted, in comments and strings neither: write one question mark or another character";
}

/// The value of the hexadecimal digits that `text` begins with, `digits` of them; -1 where there are fewer.
long hexadecimal_value(std::string_view text, std::size_t digits) {
  long value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char c = i < text.size() ? text[i] : '\0';
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return -1;
    value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

std::string about_backslash(std::string_view rest) {
  if (rest.front() != '\\') return "";
  const std::size_t next = rest.find_first_not_of(" \t\v\f\r", 1);
  const bool ends_line = next != std::string_view::npos && rest[next] == '\n';
  if (ends_line && next != 1 && !rest.starts_with("\\\r\n")) {
    return "blanks between a backslash and the line's end are not accepted, in comments neither: compilers "
           "differ in whether the line goes on; remove the blanks or the backslash";
  }
  const char kind = rest.size() > 1 ? rest[1] : '\0';
  const bool delimited = rest.starts_with("\\u{") || rest.starts_with("\\N{");
  const long value = kind == 'u'   ? hexadecimal_value(rest.substr(2), 4)
                     : kind == 'U' ? hexadecimal_value(rest.substr(2), 8)
                                   : -1;
  if (delimited || (value >= 0 && value < 0x80)) {
    return "a universal character name of an ASCII character is not accepted: write the character itself";
  }
  return "";
}

}  // namespace

std::vector<AmbiguousCharacters> ambiguous_characters(std::string_view source, std::size_t most) {
  std::vector<AmbiguousCharacters> found;
  int line = 1;
  for (std::size_t at = 0; at < source.size() && found.size() < most; ++at) {
    const std::string_view rest = source.substr(at);
    if (rest.starts_with(
            "\\\\")) {  // an escaped backslash begins no character's name; the second may end a line
      const std::string_view second = rest.substr(1);
      if (second.size() > 1 && (second[1] == 'u' || second[1] == 'U' || second[1] == 'N')) ++at;
      continue;
    }
    for (const auto& about : {about_control_character, about_trigraph, about_backslash}) {
      if (std::string message = about(rest); !message.empty()) {
        found.push_back({at, line, std::move(message)});
        break;
      }
    }
    if (source[at] == '\n') ++line;
  }
  return found;
}

}  // namespace kgen::compile
