#include "cli/text_table.hpp"

#include <algorithm>

namespace kgen::cli {
namespace {

constexpr std::size_t kGap = 2;

void trim_end(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::vector<std::string>> lines;
  lines.emplace_back();
  for (const Column& column : columns_) lines.back().push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& cells : lines)
    for (std::size_t i = 0; i < std::min(cells.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], display_width(cells[i]));
  std::string text;
  for (const auto& cells : lines) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < std::min(cells.size(), widths.size()); ++i) {
      const std::string padding(widths[i] - display_width(cells[i]), ' ');
      if (i > 0) line.append(kGap, ' ');
      line += columns_[i].align == Align::right ? padding + cells[i] : cells[i] + padding;
    }
    trim_end(line);
    text += line + "\n";
  }
  return text;
}

std::string LabelledLines::text(std::size_t indent) const {
  std::size_t width = 0;
  for (const auto& [label, value] : lines_) width = std::max(width, display_width(label));
  std::string text;
  for (const auto& [label, value] : lines_) {
    std::string line =
        std::string(indent, ' ') + label + std::string(width - display_width(label) + kGap, ' ') + value;
    trim_end(line);
    text += line + "\n";
  }
  return text;
}

}  // namespace kgen::cli
