#include "cli/doctor_text.hpp"

#include <algorithm>

#include "cli/text_table.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

/// `text` with its further lines indented as its first.
std::string indented(const std::string& text, std::size_t indent) {
  std::string result;
  for (const char c : util::printable(text))
    result += c == '\n' ? "\n" + std::string(indent, ' ') : std::string(1, c);
  return result;
}

}  // namespace

std::string doctor_text(const std::vector<DoctorSection>& sections, bool color) {
  std::size_t width = 0;
  for (const auto& section : sections)
    for (const auto& line : section.lines) width = std::max(width, display_width(line.name));
  const std::size_t indent = 6 + width + 2;
  std::string text;
  for (const auto& section : sections) {
    text += util::paint(section.title, util::Color::bold, color) + "\n";
    for (const auto& line : section.lines) {
      const std::string mark =
          util::paint(line.ok ? "ok" : "no", line.ok ? util::Color::green : util::Color::red, color);
      text += "  " + mark + "  " + line.name + std::string(width - display_width(line.name) + 2, ' ') +
              indented(line.text, indent) + "\n";
      if (!line.ok && !line.advice.empty())
        text += std::string(indent, ' ') + "-> " + indented(line.advice, indent + 3) + "\n";
    }
  }
  return text;
}

}  // namespace kgen::cli
