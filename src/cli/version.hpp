#pragma once

namespace kgen::cli {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace kgen::cli
