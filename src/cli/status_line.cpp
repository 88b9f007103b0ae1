#include "cli/status_line.hpp"

#include <cstdio>

#include "util/terminal.hpp"

namespace kgen::cli {

StatusLine::StatusLine(bool live) : live_(live) {}

StatusLine::~StatusLine() {
  const std::lock_guard lock(mutex_);
  erase();
}

void StatusLine::erase() {
  if (!shown_.empty()) std::fputs("\r\x1b[K", stderr);
  shown_.clear();
}

void StatusLine::show(const std::string& text) {
  if (!live_) return;
  const std::lock_guard lock(mutex_);
  erase();
  shown_ = cut_to_width(util::printable(text), static_cast<std::size_t>(util::terminal_columns() - 1));
  std::fputs(shown_.c_str(), stderr);
  std::fflush(stderr);
}

void StatusLine::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  const std::string below = shown_;
  erase();
  std::fprintf(stderr, "%s\n", text.c_str());
  shown_ = below;
  std::fputs(shown_.c_str(), stderr);
  std::fflush(stderr);
}

std::string cut_to_width(const std::string& text, std::size_t columns) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_character = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (starts_character && characters++ == columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace kgen::cli
