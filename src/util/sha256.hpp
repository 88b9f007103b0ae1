#pragma once

#include <string>
#include <string_view>

namespace kgen::util {

/// SHA-256 of `bytes` (FIPS 180-4): 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace kgen::util
