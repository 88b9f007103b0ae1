#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "util/error.hpp"

namespace kgen::cuda {

/// Opens the first of `names` ("libcublas.so.13") in `folders`, else where the system's loader finds it.
/// Never closed again. Errors: missing, naming what was looked for.
Result<void*> open_library(const std::vector<std::string>& names,
                           const std::vector<std::filesystem::path>& folders);

/// The address of a function. Errors: missing (the library is another version).
Result<void*> find_symbol(void* library, const char* name);

}  // namespace kgen::cuda
