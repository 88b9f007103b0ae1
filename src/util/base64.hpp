#pragma once

#include <string>
#include <string_view>

namespace kgen::util {

/// RFC 4648 with padding.
std::string base64(std::string_view bytes);
/// Throws std::invalid_argument where `text` is no base64.
std::string from_base64(std::string_view text);

}  // namespace kgen::util
