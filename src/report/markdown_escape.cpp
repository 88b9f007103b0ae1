#include "report/markdown_escape.hpp"

#include <algorithm>
#include <cctype>

#include "util/terminal.hpp"

namespace kgen::report {
namespace {

constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~@:!&$";

/// Length of the character of UAX #9's explicit formatting (or a zero-width mark) that `text` begins with; 0:
/// none.
std::size_t direction_mark(std::string_view text) {
  for (const std::string_view mark : {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067",
                                      "\u2068", "\u2069", "\u200e", "\u200f", "\u061c"})
    if (text.starts_with(mark)) return mark.size();
  return 0;
}

std::string without_direction_marks(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = direction_mark(text);
    if (mark == 0) out += text.front();
    text.remove_prefix(std::max<std::size_t>(mark, 1));
  }
  return out;
}

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// Blanks of every kind, several in a row too, as one; none at the ends.
std::string on_one_line(std::string_view text) {
  std::string out;
  bool blank = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n') {
      blank = true;
      continue;
    }
    if (blank && !out.empty()) out += ' ';
    blank = false;
    out += c;
  }
  return out;
}

}  // namespace

std::string code_span(std::string_view text, bool in_table) {
  const std::string line = on_one_line(without_direction_marks(util::printable(text)));
  if (line.empty()) return {};
  const std::string fence(longest_run_of_backticks(line) + 1, '`');
  const std::string padding = line.front() == '`' || line.back() == '`' ? " " : "";
  std::string inside;
  for (const char c : line) inside += in_table && c == '|' ? std::string("\\|") : std::string(1, c);
  return fence + padding + inside + padding + fence;
}

std::string escaped_markdown(std::string_view text) {
  const std::string line = on_one_line(without_direction_marks(util::printable(text)));
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    // A dot between letters may make the name of a server, which GitHub links.
    const bool in_name =
        line[i] == '.' && i + 1 < line.size() && std::isalpha(static_cast<unsigned char>(line[i + 1])) != 0;
    if (in_name || kMarkup.find(line[i]) != std::string_view::npos) out += '\\';
    out += line[i];
    if (line[i] == '@') out += "\u200b";
  }
  return out;
}

std::string code_block(std::string_view text) {
  const std::string inside = without_direction_marks(util::printable(text));
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(inside) + 1), '`');
  return fence + "\n" + inside + (inside.ends_with('\n') ? "" : "\n") + fence + "\n";
}

}  // namespace kgen::report
