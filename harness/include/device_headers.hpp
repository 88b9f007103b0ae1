#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "util/error.hpp"

namespace kgen::compile {

/// Writes kgen's device headers below `folder`, so that `-Ifolder` finds <kgen/prelude.cuh>, <cuda.h>,
/// <cstdint>... Errors: missing (no space, no permission).
Status write_device_headers(const std::filesystem::path& folder);

/// Their names, as #include has them: "kgen/prelude.cuh", "cstdint".
std::set<std::string> device_header_names();

}  // namespace kgen::compile
