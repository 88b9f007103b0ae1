#pragma once

#include <cuda.h>

#include <vector>

#include "harness/run/elf_globals.hpp"
#include "harness/run/run_process.hpp"

namespace kgen::run {

/// Reads and hashes the variables of a loaded module. The driver finds them by name; one that it does not (a
/// string literal) is found by its distance from another one of the same section. Those that cannot be found
/// say so.
RunResult<std::vector<GlobalVariable>> hash_globals(CUmodule module, const std::vector<ElfGlobal>& variables);

}  // namespace kgen::run
