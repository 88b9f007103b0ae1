#include "prompt/profile_feedback.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "prompt/bottleneck.hpp"
#include "prompt/feedback.hpp"

namespace kgen::prompt {
namespace {

const std::string kSource = "// plan\n__global__ void k() {\n  y[i] = x[8192 * i]; ```\n}\n";

/// A kernel of 100 us whose lanes read 128 bytes apart, sampled at line 3.
core::Profile uncoalesced_profile() {
  core::Profile out;
  out.source = "CUPTI";
  out.dims = {{"rows", 64}};
  core::KernelProfile kernel;
  kernel.kernel = "k";
  kernel.metrics = {{"gpu__time_duration.sum", 100000},
                    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 90},
                    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e6},
                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32e6},
                    {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128e6}};
  kernel.lines = {{3, {{"smsp__pcsamp_warps_issue_stalled_long_scoreboard", 500}}}};
  out.kernels.push_back(kernel);
  return out;
}

TEST(ProfileFeedback, NamesTheCauseWithItsLineAndWhatHelps) {
  const std::string text = profile_text(uncoalesced_profile(), kSource);
  EXPECT_NE(text.find("- uncoalesced (`k`, 0.79): global accesses take 32 million sectors"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("; line 3. What helps: let neighbouring lanes"), std::string::npos) << text;
  EXPECT_NE(text.find("line 3, 100%: long_scoreboard 100%"), std::string::npos) << text;
  EXPECT_NE(text.find("speed of light: DRAM 90%"), std::string::npos) << text;
}

TEST(ProfileFeedback, SpeaksOfTheMachineCodeOnlyWhereSomethingStandsOut) {
  core::Profile profile = uncoalesced_profile();
  profile.kernels.front().metrics["sass__inst"] = 40;
  profile.kernels.front().metrics["sass__inst_LDG.128"] = 2;
  EXPECT_EQ(profile_text(profile, kSource).find("machine code"), std::string::npos);
  profile.kernels.front().metrics["sass__inst_LDL.32"] = 3;
  EXPECT_NE(profile_text(profile, kSource).find("  - machine code: local memory is used (LDL.32 x3)\n"),
            std::string::npos);
}

TEST(ProfileFeedback, LinesOfTheCandidateAreQuoted) {
  const std::string text = profile_text(uncoalesced_profile(), kSource);
  EXPECT_NE(text.find("\n    3: y[i] = x[8192 * i]; ```\n"), std::string::npos) << text;
  EXPECT_EQ(profile_text(uncoalesced_profile(), "").find("3: y[i]"), std::string::npos);
}

TEST(ProfileFeedback, IsPartOfTheJudgesFeedback) {
  core::Evaluation evaluation;
  evaluation.verdict = core::Verdict::correct;
  evaluation.profile = uncoalesced_profile();
  EXPECT_NE(feedback_text(evaluation, {}, kSource).find("- uncoalesced ("), std::string::npos);
}

TEST(ProfileFeedback, AGapIsSaidWithoutTheMachinesAffairs) {
  core::Profile profile;
  profile.gaps = {{"counters", "cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "ask root"}};
  const std::string text = profile_text(profile, kSource);
  EXPECT_EQ(text, "\nNot measured: counters.\n");
}

TEST(Bottlenecks, WhatTheProfileNamesComesFirst) {
  core::Evaluation evaluation;
  evaluation.profile = uncoalesced_profile();
  auto& metrics = evaluation.profile->kernels.front().metrics;
  metrics["smsp__average_warp_latency_per_inst_issued.ratio"] = 10;
  metrics["smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"] = 9;
  EXPECT_EQ(bottlenecks(evaluation, {}).front(), "exposed barriers");
}

}  // namespace
}  // namespace kgen::prompt
