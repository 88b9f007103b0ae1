#pragma once

#include "harness/emulator/program.hpp"

namespace kgen::emulator {

/// fma.rn without modifiers: with the host's own instruction where it has one, looked up at run time.
Handler plain_fma_f32();
Handler plain_fma_f64();

}  // namespace kgen::emulator
