#pragma once

#include <string>
#include <string_view>

namespace kgen::report {

/// `text` as one Markdown code span (CommonMark 0.31, 6.1) on one line: nothing in it is formatted, linked,
/// mentioned or HTML. Control characters and those that turn the direction of writing are left out. In a
/// table's cell a | is written \| (GitHub's extension of tables). Empty text gives an empty string.
std::string code_span(std::string_view text, bool in_table = false);

/// `text` on one line, as words within a paragraph: what would format or link it is escaped (CommonMark 0.31,
/// 2.4), and a zero-width space behind @ keeps names from being mentioned.
std::string escaped_markdown(std::string_view text);

/// `text` as a fenced code block, its fence longer than any run of backticks in it. Ends in a newline.
std::string code_block(std::string_view text);

}  // namespace kgen::report
