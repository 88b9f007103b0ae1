#pragma once

#include <string_view>

#include "util/toml.hpp"

namespace kgen::core {

/// Line of the field that a message begins with, "tensors[1]: dtype: is 'f33'", or of the innermost table on
/// the way to it that is there ("tolerance.y: is missing"); of the key where the message ends in "unknown
/// field 'x'". 0 where it names none.
int line_of_field(const toml::table& file, std::string_view message);

}  // namespace kgen::core
