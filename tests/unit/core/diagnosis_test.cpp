#include "core/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace kgen::core {
namespace {

/// A kernel of 100 us on 132 multiprocessors that nothing is wrong with: DRAM and issue at half, full waves.
Metrics healthy() {
  return {{"gpu__time_duration.sum", 100000},
          {"launch__count", 1},
          {"launch__grid_size", 132 * 8 * 4},
          {"launch__block_size", 256},
          {"launch__waves_per_multiprocessor", 4},
          {"launch__registers_per_thread", 32},
          {"launch__shared_mem_per_block_static", 1024},
          {"launch__occupancy_limit_registers", 8},
          {"launch__occupancy_limit_shared_mem", 100},
          {"launch__occupancy_limit_warps", 8},
          {"launch__occupancy_limit_blocks", 32},
          {"device__attribute_multiprocessor_count", 132},
          {"sm__maximum_warps_per_active_cycle_pct", 100},
          {"sm__warps_active.avg.per_cycle_active", 60},
          {"sm__cycles_active.avg", 98000},
          {"sm__cycles_active.max", 100000},
          {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 50},
          {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 50},
          {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 50},
          {"lts__throughput.avg.pct_of_peak_sustained_elapsed", 30},
          {"l1tex__throughput.avg.pct_of_peak_sustained_active", 40},
          {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active", 30},
          {"dram__bytes_read.sum", 100e6},
          {"dram__bytes_write.sum", 100e6},
          {"smsp__issue_active.avg.pct_of_peak_sustained_active", 40},
          {"smsp__inst_executed.sum", 1e7},
          {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
          {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 3},
          {"smsp__average_warps_issue_stalled_selected_per_issue_active.ratio", 1},
          {"smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio", 4},
          {"smsp__average_thread_inst_executed_per_inst_executed.ratio", 32},
          {"smsp__warps_eligible.avg.per_cycle_active", 2},
          {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", 30},
          {"sm__inst_executed_pipe_tensor.sum", 0},
          {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e6},
          {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4e6},
          {"smsp__sass_data_bytes_mem_global_op_ld.sum", 128e6}};
}

std::string stall(const std::string& reason) {
  return "smsp__average_warps_issue_stalled_" + reason + "_per_issue_active.ratio";
}

Profile profile_of(Metrics metrics, std::vector<LineProfile> lines = {}, ProfileTask task = {}) {
  Profile out;
  out.task = task;
  out.source = "CUPTI";
  out.kernels.push_back({"k", std::move(metrics), std::move(lines)});
  return out;
}

/// A rule with what makes it speak, from the healthy kernel on.
struct Case {
  const char* rule;
  Metrics changed;
  const char* words;  ///< that its sentence must have
  ProfileTask task = {};
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.rule;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"dram_bound",
       {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 91}},
       "91% of its peak (200 MB)"},
      {"extra_traffic", {}, "moves 200 MB where the op needs 100 MB", {100e6, 0, 0}},
      {"l2_bound", {{"lts__throughput.avg.pct_of_peak_sustained_elapsed", 85}}, "L2 is busy at 85%"},
      {"uncoalesced",
       {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32e6}},
       "32 million sectors of 32 bytes where 4 million would hold"},
      {"bank_conflicts",
       {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 32e6},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 31e6},
        {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active", 90}},
       "97% of the wavefronts"},
      {"local_memory",
       {{"smsp__inst_executed_op_local_ld.sum", 5e6}, {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 2e7}},
       "spilled registers, or an array indexed at run time"},
      {"atomics",
       {{"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 1e6}, {stall("lg_throttle"), 4}},
       "warps make atomic operations, 50%"},
      {"bytes_in_flight",
       {{stall("long_scoreboard"), 8},
        {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 20},
        {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 20},
        {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 10}},
       "DRAM moves only 20% of its peak (2000 GB/s)"},
      {"tensor_idle", {}, "their time would be 20 us of 100 us", {0, 2e10, 1e15}},
      {"pipe_bound",
       {{"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", 88}},
       "fp64 pipe is busy 88%"},
      {"issue_bound", {{"smsp__issue_active.avg.pct_of_peak_sustained_active", 85}}, "in 85% of the cycles"},
      {"divergence",
       {{"smsp__average_thread_inst_executed_per_inst_executed.ratio", 4}},
       "only 4 of 32 lanes"},
      {"barrier_bound", {{stall("barrier"), 7}}, "__syncthreads 70% of the time"},
      {"latency_bound",
       {{stall("wait"), 8}, {"sm__throughput.avg.pct_of_peak_sustained_elapsed", 20}},
       "wait for those before them 80% of the time, with 15 warps a scheduler"},
      {"occupancy",
       {{"sm__maximum_warps_per_active_cycle_pct", 25},
        {"launch__registers_per_thread", 96},
        {"launch__occupancy_limit_registers", 5},
        {"launch__registers_for_one_more_block", 80},
        {stall("long_scoreboard"), 8}},
       "at 96 registers 5 blocks fit; 80 would fit 6"},
      {"small_grid", {{"launch__grid_size", 33}}, "33 blocks leave 99 of 132 multiprocessors idle"},
      {"tail_effect",
       {{"sm__cycles_active.avg", 60000}, {"launch__waves_per_multiprocessor", 1.01}},
       "busy 60% as long as the busiest: the grid is 1.01 waves"},
      {"launch_bound",
       {{"gpu__time_duration.sum", 48000}, {"launch__count", 24}},
       "24 launches of 2 us each"},
  };
  return all;
}

std::vector<std::string> rules_of(const std::vector<Diagnosis>& found) {
  std::vector<std::string> out;
  for (const auto& one : found) out.push_back(one.rule);
  return out;
}

class DiagnosisRule : public testing::TestWithParam<Case> {};

TEST_P(DiagnosisRule, SpeaksWhereItsEvidenceIsThereWithItsFigures) {
  Metrics metrics = healthy();
  for (const auto& [name, value] : GetParam().changed) metrics[name] = value;
  const auto found = diagnose(profile_of(metrics, {}, GetParam().task));
  const auto it =
      std::find_if(found.begin(), found.end(), [](const auto& d) { return d.rule == GetParam().rule; });
  ASSERT_NE(it, found.end()) << testing::PrintToString(rules_of(found));
  EXPECT_NE(it->what.find(GetParam().words), std::string::npos) << it->what;
  EXPECT_FALSE(it->advice.empty());
  EXPECT_EQ(it->kernel, "k");
  EXPECT_GT(it->weight, 0);
  EXPECT_LE(it->weight, 1);
}

TEST_P(DiagnosisRule, IsSilentOfAHealthyKernel) {
  for (const auto& one : diagnose(profile_of(healthy()))) EXPECT_NE(one.rule, std::string(GetParam().rule));
}

TEST_P(DiagnosisRule, IsSilentWhereNothingWasCounted) {
  for (const auto& one : diagnose(profile_of({}, {}, GetParam().task)))
    EXPECT_NE(one.rule, std::string(GetParam().rule));
}

INSTANTIATE_TEST_SUITE_P(All, DiagnosisRule, testing::ValuesIn(cases()),
                         [](const auto& one) { return std::string(one.param.rule); });

TEST(Diagnosis, OfAHealthyKernelIsEmpty) {
  EXPECT_EQ(rules_of(diagnose(profile_of(healthy()))), std::vector<std::string>{});
}

TEST(Diagnosis, TheCauseComesBeforeWhatFollowsFromIt) {
  // Wasted sectors keep DRAM busy: what helps is not fewer bytes, but neighbouring ones.
  Metrics metrics = healthy();
  metrics["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 92;
  metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 32e6;
  const auto found = diagnose(profile_of(metrics));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, "uncoalesced");
}

TEST(Diagnosis, LanesThatAreSwitchedOffAreDivergenceNotBusyUnits) {
  Metrics metrics = healthy();
  metrics["smsp__issue_active.avg.pct_of_peak_sustained_active"] = 86;
  metrics["sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"] = 68;
  metrics["smsp__average_thread_inst_executed_per_inst_executed.ratio"] = 8.5;
  const auto found = diagnose(profile_of(metrics));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, "divergence");
}

TEST(Diagnosis, WaitsForAtomicOperationsAreNoLackOfBytesInFlight) {
  Metrics metrics = healthy();
  metrics[stall("long_scoreboard")] = 9.8;
  metrics["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 1;
  metrics["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = 1;
  metrics["lts__throughput.avg.pct_of_peak_sustained_elapsed"] = 1;
  metrics["l1tex__throughput.avg.pct_of_peak_sustained_active"] = 1;
  metrics["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = 1;
  metrics["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"] = 1e6;
  const auto found = diagnose(profile_of(metrics));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, "atomics");
}

TEST(Diagnosis, WhatIsMeasuredWhileBlocksRunCostsOnlyThatPartOfTheTime) {
  Metrics metrics = healthy();
  metrics["sm__cycles_active.avg"] = 50000;  // half the time all multiprocessors but one are idle
  metrics["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"] = 91;
  metrics["smsp__issue_active.avg.pct_of_peak_sustained_active"] = 97;
  const auto found = diagnose(profile_of(metrics));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, "tail_effect");
}

TEST(Diagnosis, AFewInstructionsOfTheTensorPipeAreNoProduct) {
  // HFMA2.MMA, which compilers take to move constants, is counted as an instruction of the tensor pipe.
  const ProfileTask task{0, 2e10, 1e15};  // 20 us of 100 us
  Metrics metrics = healthy();
  metrics["sm__inst_executed_pipe_tensor.sum"] = 16896;
  metrics["sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"] = 0.1;
  const auto idle = diagnose(profile_of(metrics, {}, task));
  ASSERT_FALSE(idle.empty());
  EXPECT_EQ(idle.front().rule, "tensor_idle");
  EXPECT_NE(idle.front().what.find("the tensor pipe is busy only 0% of the time"), std::string::npos)
      << idle.front().what;
  metrics["sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"] = 25;
  EXPECT_EQ(rules_of(diagnose(profile_of(metrics, {}, task))), std::vector<std::string>{});
}

TEST(Diagnosis, LinesAreNamedInASentence) {
  EXPECT_EQ(lines_text({}), "");
  EXPECT_EQ(lines_text({7}), "line 7");
  EXPECT_EQ(lines_text({7, 9, 3}), "lines 7, 9 and 3");
}

TEST(Diagnosis, LinesAreThoseWhereWarpsWereSeenWaiting) {
  Metrics metrics = healthy();
  metrics[stall("barrier")] = 7;
  const std::string barrier = "smsp__pcsamp_warps_issue_stalled_barrier";
  const auto found = diagnose(profile_of(
      metrics, {{3, {{barrier, 10}}}, {7, {{barrier, 500}}}, {9, {{barrier, 490}}}, {0, {{barrier, 5}}}}));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().rule, "barrier_bound");
  EXPECT_EQ(found.front().lines, (std::vector<int>{7, 9}));
}

TEST(Diagnosis, AKernelCountsByItsShareOfTheTime) {
  Metrics slow = healthy(), quick = healthy();
  slow["gpu__time_duration.sum"] = 900000;
  slow[stall("barrier")] = 4;
  quick["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] = 92;
  Profile both = profile_of(slow);
  both.kernels.push_back({"quick", quick, {}});
  const auto found = diagnose(both);
  ASSERT_EQ(rules_of(found), (std::vector<std::string>{"barrier_bound", "dram_bound"}));
  EXPECT_NEAR(found[1].weight, 0.092, 1e-6);
}

TEST(Diagnosis, CountersWithoutTimesRankByWastedWork) {
  Metrics counted = {{"smsp__inst_executed.sum", 1000},
                     {"smsp__average_thread_inst_executed_per_inst_executed.ratio", 16},
                     {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10},
                     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 320},
                     {"memory_l2_theoretical_sectors_global_ideal", 40}};
  Profile profile = profile_of(counted, {{4, counted}});
  profile.simulated = true;
  const auto found = diagnose(profile);
  ASSERT_EQ(rules_of(found), (std::vector<std::string>{"uncoalesced", "divergence"}));
  EXPECT_EQ(found[0].lines, std::vector<int>{4});
}

}  // namespace
}  // namespace kgen::core
