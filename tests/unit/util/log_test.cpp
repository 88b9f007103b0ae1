#include "util/log.hpp"

#include <gtest/gtest.h>

namespace kgen::util {
namespace {

std::string stderr_of(const std::function<void()>& work) {
  testing::internal::CaptureStderr();
  work();
  return testing::internal::GetCapturedStderr();
}

TEST(Log, DropsLinesBelowTheLevel) {
  EXPECT_EQ(stderr_of([] { log(LogLevel::info, "quiet"); }), "");
  EXPECT_EQ(stderr_of([] { log(LogLevel::warning, "careful"); }), "kgen: warning: careful\n");
}

TEST(Log, BracesAreText) {
  EXPECT_EQ(stderr_of([] { log(LogLevel::error, "{} {x} %v"); }), "kgen: error: {} {x} %v\n");
}

TEST(Log, LevelCanBeLowered) {
  set_log_level(LogLevel::debug);
  EXPECT_EQ(stderr_of([] { log(LogLevel::debug, "detail"); }), "kgen: debug: detail\n");
  set_log_level(LogLevel::warning);
}

}  // namespace
}  // namespace kgen::util
