#pragma once

#include <string>
#include <vector>

namespace kgen::cli {

/// A table as plain text: columns as wide as their widest cell, two spaces between, the header first.
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Cells that are missing at the end are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  /// Every line is indented by `indent` spaces, has no blanks at its end and ends in a newline.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Lines "label  value" with the values in one column. A label that is empty goes on with the one before.
class LabelledLines {
 public:
  void add(std::string label, std::string value) { lines_.emplace_back(std::move(label), std::move(value)); }
  std::string text(std::size_t indent = 2) const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

/// Columns that `text` takes on a terminal, as far as counting UTF-8 characters tells.
std::size_t display_width(const std::string& text);

}  // namespace kgen::cli
