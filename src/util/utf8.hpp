#pragma once

#include <string_view>

namespace kgen::util {

/// Whether `text` is well-formed UTF-8 (Unicode 15, table 3-7): what JSON and other programs accept.
bool is_utf8(std::string_view text);

}  // namespace kgen::util
