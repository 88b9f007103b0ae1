#pragma once

#include "harness/emulator/ptx_cursor.hpp"
#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator::ptx {

/// The space that a directive such as ".shared" or a modifier such as "shared::cta" names; none where it
/// names none.
Space parse_space(std::string_view word);

/// One or more variables behind a space directive (".reg .b32 %r<4>, %x;"), without the semicolon.
Result<std::vector<Variable>> parse_variables(Cursor& cursor);

/// A parameter list "( .param .u64 a, .reg .b32 b )"; the cursor stands at the parenthesis.
Result<std::vector<Variable>> parse_parameters(Cursor& cursor);

}  // namespace kgen::emulator::ptx
