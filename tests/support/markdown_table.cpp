#include "support/markdown_table.hpp"

#include <fstream>
#include <sstream>

namespace kgen::test {
namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));  // behind the first bar
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

}  // namespace

std::vector<MarkdownRow> markdown_table(std::string_view page, std::string_view heading) {
  std::istringstream in{std::string(page)};
  std::string line;
  while (std::getline(in, line) && line != heading) {
  }
  while (std::getline(in, line) && !line.starts_with("|")) {
  }
  const std::vector<std::string> titles = line.starts_with("|") ? cells_of(line) : std::vector<std::string>{};
  std::getline(in, line);  // | --- | --- |
  std::vector<MarkdownRow> rows;
  while (std::getline(in, line) && line.starts_with("|")) {
    const auto cells = cells_of(line);
    MarkdownRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < titles.size(); ++i) row[titles[i]] = i < cells.size() ? cells[i] : "";
  }
  return rows;
}

std::vector<MarkdownRow> verdict_table() {
  std::ifstream in(std::string(KGEN_SOURCE_DIR) + "/docs/verification.md");
  std::ostringstream page;
  page << in.rdbuf();
  return markdown_table(page.str(), "## One table");
}

std::vector<std::string> code_words(std::string_view cell) {
  std::vector<std::string> words;
  for (std::size_t begin = cell.find('`'); begin != std::string_view::npos;) {
    const std::size_t end = cell.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    words.emplace_back(cell.substr(begin + 1, end - begin - 1));
    begin = cell.find('`', end + 1);
  }
  return words;
}

}  // namespace kgen::test
