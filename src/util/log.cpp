#include "util/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace kgen::util {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

spdlog::logger& logger() {
  static spdlog::logger instance = [] {
    spdlog::logger made("kgen", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made.set_pattern("kgen: %l: %v");
    made.set_level(spdlog::level::warn);
    made.flush_on(spdlog::level::trace);
    return made;
  }();
  return instance;
}

}  // namespace

void set_log_level(LogLevel level) {
  logger().set_level(spdlog_level(level));
}

void log(LogLevel level, std::string_view text) {
  logger().log(spdlog_level(level), spdlog::string_view_t(text.data(), text.size()));
}

}  // namespace kgen::util
