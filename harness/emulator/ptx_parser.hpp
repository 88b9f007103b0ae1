#pragma once

#include <string>
#include <string_view>

#include "harness/emulator/ptx_module.hpp"
#include "util/error.hpp"

namespace kgen::emulator::ptx {

/// Reads PTX as NVRTC writes it. Source lines of instructions are those of `source_file` (the name its .file
/// directive ends in); code inlined from elsewhere has the line of the call in that file.
/// Errors: bad_input with the PTX line, for anything that is no PTX. Never crashes.
Result<Module> parse_module(std::string_view ptx, std::string_view source_file);

}  // namespace kgen::emulator::ptx
