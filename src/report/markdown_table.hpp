#pragma once

#include <string>
#include <vector>

namespace kgen::report {

/// A text as a cell of a table, in a code span.
std::string table_cell(const std::string& text);

/// "| a | b |\n"
std::string table_row(const std::vector<std::string>& cells);

/// The row of titles and the rule below it.
std::string table_header(const std::vector<std::string>& titles);

}  // namespace kgen::report
