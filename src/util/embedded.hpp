#pragma once

#include <span>
#include <string_view>

namespace kgen::util {

/// One text file compiled into the program by kgen_embed (scripts/cmake/kgen.cmake).
/// `name` is its path relative to the folder that embeds it; `text` is NUL-terminated behind its end.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace kgen::util
