#include "harness/judge/source_parts.hpp"

#include <algorithm>
#include <cctype>

namespace kgen::judge {
namespace {

bool stands_in_a_number(std::string_view text, std::size_t at) {
  return at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
}

/// End of what begins at `at`: a string or character literal (at its line's end at the latest).
std::size_t literal_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return std::min(at, text.size());
}

/// End of the comment that begins at `at`; `at` itself where none does.
std::size_t comment_end(std::string_view text, std::size_t at) {
  const std::string_view opening = text.substr(at, 2);
  if (opening != "//" && opening != "/*") return at;
  const std::size_t end = opening == "//" ? text.find('\n', at) : text.find("*/", at + 2);
  if (end == std::string_view::npos) return text.size();
  return opening == "//" ? end : end + 2;
}

}  // namespace

SourceParts source_parts(std::string_view source) {
  SourceParts out;
  for (std::size_t at = 0; at < source.size();) {
    if (const std::size_t end = comment_end(source, at); end > at) {
      const std::string_view comment = source.substr(at, end - at);
      std::string& part = comment.starts_with("/*kgen") && out.plan.empty() ? out.plan : out.comments;
      part.append(comment).append(" ");
      out.code += ' ';
      at = end;
      continue;
    }
    const bool opens = source[at] == '"' || (source[at] == '\'' && !stands_in_a_number(source, at));
    const std::size_t end = opens ? literal_end(source, at) : at + 1;
    out.code.append(source.substr(at, end - at));
    at = end;
  }
  return out;
}

}  // namespace kgen::judge
