#pragma once

#include <string>

#include "util/error.hpp"

namespace kgen::cli {

/// A candidate file of the user's. Errors: bad_input where it cannot be read or is empty.
Result<std::string> read_kernel(const std::string& file);

}  // namespace kgen::cli
