#pragma once

#include "harness/emulator/function_decoder.hpp"

namespace kgen::emulator {

/// The state space among an instruction's suffixes; generic where there is none. NotEmulated for another
/// block's shared memory.
ptx::Space memory_space(const FunctionDecoder& decoder);

/// Emits a fence in front of an instruction that releases.
void emit_fence(FunctionDecoder& decoder);

}  // namespace kgen::emulator
