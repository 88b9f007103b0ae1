#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "util/error.hpp"

namespace kgen::emulator::ptx {

/// One token. Words keep their dots: ".loc", "ld.global.u32", "%tid.x", "shared::cta".
struct Token {
  enum class Kind { word, integer, float32, float64, text, sign, end };
  Kind kind = Kind::end;
  std::string_view text;   ///< in the PTX; a quoted text without its quotes
  std::uint64_t bits = 0;  ///< of a number
  int line = 0;            ///< from 1
};

/// Cuts PTX into tokens; comments are dropped, the last token is `end`. The tokens point into `ptx`. WARP_SZ,
/// the one constant that PTX predefines (PTX ISA, "Predefined Identifiers"), comes as an integer.
/// Errors: bad_input, with the PTX line.
Result<std::vector<Token>> lex(std::string_view ptx);

}  // namespace kgen::emulator::ptx
