#pragma once

#include "harness/emulator/ptx_cursor.hpp"
#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator::ptx {

/// One instruction with its guard, up to its semicolon; source line and scope are left to the caller.
Result<Instruction> parse_instruction(Cursor& cursor);

}  // namespace kgen::emulator::ptx
