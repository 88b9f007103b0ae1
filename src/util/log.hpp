#pragma once

#include <string_view>

namespace kgen::util {

enum class LogLevel { debug, info, warning, error };

/// Lines below this level are dropped. Default: warning.
void set_log_level(LogLevel level);
/// One line to stderr: "kgen: warning: text". spdlog formats it.
void log(LogLevel level, std::string_view text);

}  // namespace kgen::util
