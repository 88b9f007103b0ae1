#pragma once

#include "harness/emulator/program.hpp"

namespace kgen::emulator {

/// Sets Instr::reconverge of every branch of the function in code[begin, end): the first instruction of the
/// branch's immediate post-dominator, kNever where its ways meet at the function's end only.
void find_reconvergence(Program& program, U32 begin, U32 end);

}  // namespace kgen::emulator
