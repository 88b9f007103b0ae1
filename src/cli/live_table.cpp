#include "cli/live_table.hpp"

#include <cstdio>

#include "cli/status_line.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {

std::string redraw_text(std::size_t shown, const std::vector<std::string>& lines, std::size_t columns) {
  std::string text = shown > 0 ? "\x1b[" + std::to_string(shown) + "A\r\x1b[J" : "";
  for (const std::string& line : lines) text += cut_to_width(util::printable(line), columns) + "\n";
  return text;
}

LiveTable::LiveTable(bool live) : live_(live) {}

LiveTable::~LiveTable() {
  const std::lock_guard lock(mutex_);
  draw({});
}

void LiveTable::set_row(int key, const std::string& text) {
  if (!live_) return;
  const std::lock_guard lock(mutex_);
  rows_[key] = text;
  draw(lines());
}

void LiveTable::remove_row(int key) {
  const std::lock_guard lock(mutex_);
  if (rows_.erase(key) > 0) draw(lines());
}

void LiveTable::set_footer(const std::string& text) {
  if (!live_) return;
  const std::lock_guard lock(mutex_);
  footer_ = text;
  draw(lines());
}

void LiveTable::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  draw({});
  std::fprintf(stderr, "%s\n", text.c_str());
  draw(lines());
}

std::vector<std::string> LiveTable::lines() const {
  std::vector<std::string> all;
  for (const auto& [key, row] : rows_) all.push_back(row);
  if (!footer_.empty()) all.push_back(footer_);
  return all;
}

void LiveTable::draw(const std::vector<std::string>& lines) {
  if (!live_) return;
  const auto columns = static_cast<std::size_t>(util::terminal_columns() - 1);
  std::fputs(redraw_text(shown_, lines, columns).c_str(), stderr);
  std::fflush(stderr);
  shown_ = lines.size();
}

}  // namespace kgen::cli
