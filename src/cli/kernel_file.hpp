#pragma once

#include <string>

#include "util/error.hpp"

namespace kgen::cli {

/// A candidate file of the user's. Errors: bad_input where it cannot be read, is empty, or is larger
/// than core::kMostSourceBytes.
Result<std::string> read_kernel(const std::string& file);

}  // namespace kgen::cli
