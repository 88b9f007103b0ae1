#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/op.hpp"

namespace kgen::prompt {

/// `value` with `digits` significant digits, without trailing zeros: "63.9", "0.0078125", "1.2e-07".
std::string number(double value, int digits = 4);
/// "268,435,456".
std::string grouped(std::int64_t value);
/// "64.2 us", "1.23 ms".
std::string time_text(double us);
/// "rows=8192, cols=8192", those in `order` first.
std::string dims_text(const core::Dims& dims, const std::vector<std::string>& order = {});
/// A GitHub Markdown table.
std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);
/// `text` cut to `most` bytes at a line's end, saying so.
std::string cut(const std::string& text, std::size_t most);
/// `text` indented as a Markdown code block: what others wrote cannot open a fence or a heading.
std::string quoted(const std::string& text);
/// `text` without blank lines in a row (outside fenced blocks), at its beginning and at its end.
std::string tidy(const std::string& text);
std::string without_last_newlines(std::string text);
/// `text` on one line, at most `most` bytes.
std::string one_line(const std::string& text, std::size_t most);

}  // namespace kgen::prompt
