#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kgen::test {

/// A row of a table in Markdown: cell by the title of its column, blanks around it removed.
using MarkdownRow = std::map<std::string, std::string>;

/// The first table behind the line `heading` ("## One table") of a page; empty where there is none.
std::vector<MarkdownRow> markdown_table(std::string_view page, std::string_view heading);

/// The table of docs/verification.md: defect, verdict, kind, device, outcome, generate, eval.
std::vector<MarkdownRow> verdict_table();

/// What stands in `...` in a cell: "`a`, `b`" is a, b.
std::vector<std::string> code_words(std::string_view cell);

}  // namespace kgen::test
