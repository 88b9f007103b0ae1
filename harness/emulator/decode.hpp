#pragma once

#include <map>
#include <string>

#include "harness/emulator/program.hpp"
#include "harness/emulator/ptx_module.hpp"
#include "util/error.hpp"

namespace kgen::emulator {

/// Turns a module into compact instructions: registers placed, branches resolved, reconvergence found.
/// `symbols`: addresses of the module's global and constant variables. An instruction that the emulator does
/// not know stops the launch that reaches it (Flow::not_emulated). Errors: bad_input with the PTX line, for
/// text that is no valid PTX.
Result<Program> decode(const ptx::Module& module, const std::map<std::string, U64>& symbols);

}  // namespace kgen::emulator
