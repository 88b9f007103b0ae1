#include "harness/compile/source_text.hpp"

#include <algorithm>
#include <cctype>

namespace kgen::compile {
namespace {

/// Position behind the line end that a backslash at `at` takes away, or `at`.
std::size_t behind_continuation(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at + 1);
  return rest.starts_with('\n') ? at + 2 : rest.starts_with("\r\n") ? at + 3 : at;
}

/// Bytes of the UTF-8 sequence at `at`, or 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  if (length >= 3) {  // overlong forms, surrogates and beyond U+10FFFF
    const unsigned char second = byte(at + 1);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
      return 0;
    }
  }
  return length;
}

}  // namespace

int LogicalText::line_of(std::size_t at) const {
  if (lines.empty()) return 1;
  return lines[std::min(at, lines.size() - 1)];
}

LogicalText logical_text(std::string_view source) {
  LogicalText logical;
  int line = 1;
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] == '\\') {
      const std::size_t behind = behind_continuation(source, at);
      if (behind != at) {
        ++line;
        at = behind - 1;
        continue;
      }
    }
    logical.text.push_back(source[at]);
    logical.lines.push_back(line);
    if (source[at] == '\n') ++line;
  }
  return logical;
}

std::string without_comments(std::string_view source) {
  std::string text(source);
  enum class In { code, line_comment, block_comment, literal } in = In::code;
  char quote = '"';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = source.substr(at);
    if (in == In::code) {
      if (rest.starts_with("//") || rest.starts_with("/*")) {
        in = rest[1] == '/' ? In::line_comment : In::block_comment;
        text[at] = text[at + 1] = ' ';
        ++at;
      } else if (text[at] == '"' ||
                 (text[at] == '\'' &&
                  (at == 0 || !std::isalnum(static_cast<unsigned char>(source[at - 1]))))) {
        in = In::literal;
        quote = text[at];
      }
      continue;
    }
    if (in == In::literal && source[at] == '\\' && at + 1 < text.size()) {
      text[at] = ' ';
      if (source[++at] != '\n') text[at] = ' ';
      continue;
    }
    const bool ends = (in == In::line_comment && source[at] == '\n') ||
                      (in == In::literal && (source[at] == quote || source[at] == '\n'));
    if (in == In::block_comment && rest.starts_with("*/")) {
      text[at] = text[at + 1] = ' ';
      ++at;
      in = In::code;
    } else if (ends) {
      in = In::code;
    } else if (source[at] != '\n') {
      text[at] = ' ';
    }
  }
  return text;
}

std::string source_line(std::string_view source, int line) {
  std::size_t at = 0;
  for (int current = 1; current < line; ++current) {
    at = source.find('\n', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  const std::string_view text = source.substr(at, source.find('\n', at) - at);
  return printable_utf8(text.substr(0, std::min<std::size_t>(text.size(), 300)));
}

std::string printable_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    const unsigned char first = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out.push_back('?');
    } else if (length == 1 && first != '\n' && first != '\t' && (first < 0x20 || first == 0x7F)) {
      if (first != '\r') out.push_back(' ');
    } else {
      out.append(text.substr(at, length));
    }
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace kgen::compile
