#pragma once

#include <cstddef>
#include <string>

#include "harness/compile/sandbox.hpp"

namespace kgen::compile {

/// From now on this process opens, and asks about, only the files below `rules`: the program takes the C
/// library's open, fopen, stat, access and their like over, and whatever calls them (NVRTC does, as does
/// every library opened at run time) is told that any other file does not exist. Symbolic links and ".." are
/// resolved first. For good: it cannot be opened again. "ok", or why it is not in force.
///
/// It holds on kernels without Landlock, against any spelling of a file's name. It does not hold code that
/// makes system calls of its own; NVRTC's text-in, text-out functions give a candidate no way to run such.
std::string close_file_gate(const SandboxRules& rules);

/// How often the closed gate refused.
std::size_t refused_by_file_gate();

}  // namespace kgen::compile
