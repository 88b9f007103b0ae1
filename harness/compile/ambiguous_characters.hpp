#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgen::compile {

struct AmbiguousCharacters {
  std::size_t at = 0;  ///< position in the source
  int line = 1;
  std::string message;
};

/// What the translation phases before tokens (ISO C++17, [lex.phases] 1 to 3) may read in more than one way,
/// depending on the compiler, its version and the language standard: trigraphs, a backslash with blanks
/// between it and the line's end, control characters, a carriage return alone, universal character names of
/// ASCII characters. Whoever reads a text without them has the compiler's own tokens. The first `most`
/// places.
std::vector<AmbiguousCharacters> ambiguous_characters(std::string_view source, std::size_t most);

}  // namespace kgen::compile
