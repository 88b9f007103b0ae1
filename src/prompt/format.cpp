#include "prompt/format.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kgen::prompt {
namespace {

std::string row_text(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? '/' : c;
    line += " |";
  }
  return line + "\n";
}

}  // namespace

std::string number(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string time_text(double us) {
  if (us >= 1000) return number(us / 1000) + " ms";
  return number(us) + " us";
}

std::string dims_text(const core::Dims& dims, const std::vector<std::string>& order) {
  std::string text;
  const auto add = [&](const std::string& name, std::int64_t extent) {
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(extent);
  };
  for (const std::string& name : order) {
    if (const auto dim = dims.find(name); dim != dims.end()) add(name, dim->second);
  }
  for (const auto& [name, extent] : dims) {
    if (std::find(order.begin(), order.end(), name) == order.end()) add(name, extent);
  }
  return text;
}

std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::string text = row_text(header) + row_text(std::vector<std::string>(header.size(), "---"));
  for (const auto& row : rows) text += row_text(row);
  return text;
}

std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t line_end = text.rfind('\n', most);
  const std::size_t kept = line_end == std::string::npos || line_end == 0 ? most : line_end;
  return text.substr(0, kept) + "\n[... " + std::to_string(text.size() - kept) + " more bytes]\n";
}

std::string quoted(const std::string& text) {
  std::string out = "    ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) out += "    ";
  }
  return out;
}

std::string tidy(const std::string& text) {
  std::string out;
  bool fenced = false, blank_before = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (line.starts_with("```")) fenced = !fenced;
    const bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (blank && blank_before && !fenced) continue;
    blank_before = blank;
    out.append(line);
    out += '\n';
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string without_last_newlines(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string one_line(const std::string& text, std::size_t most) {
  std::string out = text.substr(0, std::min(text.size(), most));
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return out.size() < text.size() ? out + "..." : out;
}

}  // namespace kgen::prompt
