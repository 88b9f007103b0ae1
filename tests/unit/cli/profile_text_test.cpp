#include "cli/profile_text.hpp"

#include <gtest/gtest.h>

namespace kgen::cli {
namespace {

core::Profile barrier_profile() {
  core::Profile out;
  out.source = "CUPTI";
  out.dims = {{"rows", 64}};
  core::KernelProfile kernel;
  kernel.kernel = "k";
  kernel.metrics = {{"gpu__time_duration.sum", 100000},
                    {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
                    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 9}};
  kernel.lines = {{2, {{"smsp__pcsamp_warps_issue_stalled_barrier", 50}}}};
  out.kernels.push_back(kernel);
  return out;
}

TEST(ProfilePage, ShowsCausesWithTheirSourceAndAdvice) {
  const std::string text = profile_page_text(barrier_profile(), "a\n  __syncthreads();\x1b[31m\n", false);
  EXPECT_NE(
      text.find(
          "barrier_bound, k: warps wait at __syncthreads 90% of the time\n        2 | __syncthreads();"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("-> give every warp the same work"), std::string::npos) << text;
  EXPECT_NE(text.find("barrier 100%"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("gpu__time_duration.sum"), std::string::npos);
}

TEST(ProfilePage, ShowsEveryCounterWhenAsked) {
  EXPECT_NE(profile_page_text(barrier_profile(), "", true).find("gpu__time_duration.sum"), std::string::npos);
}

TEST(ProfilePage, ListsTheMachineCodeWhereItIsKnown) {
  core::Profile profile = barrier_profile();
  EXPECT_EQ(profile_page_text(profile, "", false).find("machine code"), std::string::npos);
  profile.kernels.front().metrics["sass__inst"] = 40;
  profile.kernels.front().metrics["sass__inst_LDG.128"] = 2;
  const std::string text = profile_page_text(profile, "", false);
  EXPECT_NE(text.find("machine code  40 instructions: LDG.128 x2"), std::string::npos) << text;
}

TEST(ProfilePage, SaysWhatIsMissingAndWhatToDo) {
  core::Profile profile;
  profile.gaps = {{"counters", "CUPTI was not found", "install it"}};
  EXPECT_EQ(profile_page_text(profile, "", false),
            "\nnot counted: counters: CUPTI was not found\n  -> install it\n");
}

}  // namespace
}  // namespace kgen::cli
