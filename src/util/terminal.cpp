#include "util/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace kgen::util {
namespace {

constexpr int kDefaultColumns = 80;
constexpr char kEscape = '\x1b';

const char* code_of(Color color) {
  switch (color) {
    case Color::none:
      return "";
    case Color::red:
      return "\x1b[31m";
    case Color::green:
      return "\x1b[32m";
    case Color::yellow:
      return "\x1b[33m";
    case Color::blue:
      return "\x1b[34m";
    case Color::bold:
      return "\x1b[1m";
    case Color::dim:
      return "\x1b[2m";
  }
  return "";
}

bool is_final_byte(char c) {
  return c >= '@' && c <= '~';
}

/// Index behind the escape sequence that begins at `at` (ECMA-48: CSI ... final byte; OSC, DCS, SOS, PM and
/// APC end with BEL or ESC \; anything else is two bytes).
std::size_t after_escape(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return text.size();
  const char kind = text[at + 1];
  std::size_t i = at + 2;
  if (kind == '[') {
    while (i < text.size() && text[i] >= ' ' && !is_final_byte(text[i])) ++i;
    return i < text.size() && is_final_byte(text[i]) ? i + 1 : i;
  }
  if (std::string_view("]PX^_").find(kind) == std::string_view::npos) return kind == kEscape ? at + 1 : i;
  const std::size_t end = text.find_first_of("\a\x1b\n", i);
  if (end == std::string_view::npos) return text.size();
  if (text[end] == '\a') return end + 1;
  return text.substr(end, 2) == "\x1b\\" ? end + 2 : end;
}

bool is_control(char c) {
  return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f';
}

/// A C1 control character (U+0080 to U+009F) in UTF-8.
bool is_c1(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '\xc2' && static_cast<unsigned char>(text[at + 1]) >= 0x80 &&
         static_cast<unsigned char>(text[at + 1]) <= 0x9f;
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1;
}

bool use_color(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");  // https://no-color.org: set and not empty
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return is_terminal(stream);
}

std::string paint(std::string_view text, Color color, bool enabled) {
  if (!enabled || color == Color::none) return std::string(text);
  return code_of(color) + std::string(text) + "\x1b[0m";
}

int terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultColumns;
  return size.ws_col;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == kEscape) {
      i = after_escape(text, i);
    } else if (is_c1(text, i)) {
      i += 2;
    } else {
      if (!is_control(text[i])) result += text[i];
      ++i;
    }
  }
  return result;
}

}  // namespace kgen::util
