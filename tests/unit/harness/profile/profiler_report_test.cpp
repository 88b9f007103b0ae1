#include "harness/profile/profiler_report.hpp"

#include <gtest/gtest.h>

namespace kgen::profile {
namespace {

constexpr const char* kRestricted = "EnableMSI: 1\nRmProfilingAdminOnly: 1\n";

TEST(ProfilerReport, IsFineWhereCuptiIsThereAndTheDriverLetsUsersCount) {
  const auto report = profiler_report("/cuda/lib64", "RmProfilingAdminOnly: 0\n", false);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.text, "/cuda/lib64");
}

TEST(ProfilerReport, SaysThatTheDriverRestrictsCounters) {
  const auto report = profiler_report("/cuda/lib64", kRestricted, false);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.text.find("only administrators"), std::string::npos);
  EXPECT_NE(report.advice.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
  EXPECT_TRUE(profiler_report("/cuda/lib64", kRestricted, true).ok);
}

TEST(ProfilerReport, SaysHowToGetCupti) {
  const auto report = profiler_report("", "", false);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.advice.find("CUPTI"), std::string::npos);
}

}  // namespace
}  // namespace kgen::profile
