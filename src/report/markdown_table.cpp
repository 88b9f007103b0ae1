#include "report/markdown_table.hpp"

#include "report/markdown_escape.hpp"

namespace kgen::report {

std::string table_cell(const std::string& text) {
  return code_span(text, true);
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& content : cells) text += " " + content + " |";
  return text + "\n";
}

std::string table_header(const std::vector<std::string>& titles) {
  std::string rule = "|";
  for (std::size_t i = 0; i < titles.size(); ++i) rule += " --- |";
  return table_row(titles) + rule + "\n";
}

}  // namespace kgen::report
