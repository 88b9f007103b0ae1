#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::compile {

/// A source with continued lines joined (a backslash right before a line's end, LF or CR LF), as translation
/// phase 2 does, and the line that each character came from. What compilers join or replace each in their own
/// way (blanks behind the backslash, trigraphs, a carriage return alone) stays: see ambiguous_characters().
struct LogicalText {
  std::string text;
  std::vector<int> lines;  ///< one a character
  int line_of(std::size_t at) const;
};
LogicalText logical_text(std::string_view source);

/// `source` with comments and the content of ordinary string and character literals replaced by blanks; line
/// ends stay.
std::string without_comments(std::string_view source);

/// Line number `line` (from 1) of `source`, without its end; cut at 300 bytes; made valid UTF-8.
std::string source_line(std::string_view source, int line);

/// Replaces bytes that are no valid UTF-8 by '?', and control characters other than newline and tab by
/// blanks.
std::string printable_utf8(std::string_view text);

}  // namespace kgen::compile
