#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace kgen::util {

enum class Color { none, red, green, yellow, blue, bold, dim };

/// True where `stream` is a terminal and neither NO_COLOR nor TERM=dumb says otherwise.
bool use_color(std::FILE* stream);
bool is_terminal(std::FILE* stream);
/// `text` in `color` where `enabled`, else `text`.
std::string paint(std::string_view text, Color color, bool enabled);
/// Columns of the terminal behind stderr, 80 where there is none.
int terminal_columns();
/// Removes escape sequences and control characters other than newline and tab: text from elsewhere is safe to
/// print.
std::string printable(std::string_view text);

}  // namespace kgen::util
