#include "harness/profile/metric_table.hpp"

#include <array>
#include <deque>
#include <string>

namespace kgen::profile {
namespace {

constexpr std::array<std::string_view, 18> kStallReasons = {"long_scoreboard",
                                                            "barrier",
                                                            "short_scoreboard",
                                                            "lg_throttle",
                                                            "mio_throttle",
                                                            "math_pipe_throttle",
                                                            "wait",
                                                            "membar",
                                                            "branch_resolving",
                                                            "no_instruction",
                                                            "not_selected",
                                                            "dispatch_stall",
                                                            "drain",
                                                            "imc_miss",
                                                            "tex_throttle",
                                                            "sleeping",
                                                            "misc",
                                                            "gmma"};

/// Speed of light: how much of each unit's peak is used. Percent.
const std::vector<WantedMetric> kSpeedOfLight = {
    {"gpu__time_duration.sum", {}},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", {}},
    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", {}},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
     {"dram__throughput.avg.pct_of_peak_sustained_elapsed"}},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", {}},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", {}},
    {"sm__cycles_active.avg", {}},
    {"sm__cycles_active.max", {}},
    {"sm__cycles_active.min", {}},
    {"sm__cycles_elapsed.max", {}},
    {"sm__cycles_elapsed.avg.per_second", {}},
};

const std::vector<WantedMetric> kMemory = {
    {"dram__bytes_read.sum", {"dram__bytes_op_read.sum", "fbpa__dram_read_bytes.sum"}},
    {"dram__bytes_write.sum", {"dram__bytes_op_write.sum", "fbpa__dram_write_bytes.sum"}},
    {"dram__bytes.sum", {}},
    {"lts__t_bytes.sum", {}},
    {"lts__t_sectors.sum", {}},
    {"lts__t_sector_hit_rate.pct", {}},
    {"l1tex__t_sector_hit_rate.pct", {}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", {}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", {}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", {}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", {}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", {}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", {}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", {}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", {}},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", {}},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", {}},
    {"smsp__sass_data_bytes_mem_global_op_ld.sum", {}},
    {"smsp__sass_data_bytes_mem_global_op_st.sum", {}},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", {}},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", {}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", {}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", {}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", {}},
    {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active", {}},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", {}},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", {}},
    {"smsp__inst_executed_op_shared_ld.sum", {}},
    {"smsp__inst_executed_op_shared_st.sum", {}},
    {"smsp__inst_executed_op_shared_atom.sum", {}},
    {"smsp__inst_executed_op_local_ld.sum", {}},
    {"smsp__inst_executed_op_local_st.sum", {}},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", {}},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", {}},
    {"smsp__inst_executed_pipe_tma.sum", {}},
};

const std::vector<WantedMetric> kIssue = {
    {"sm__warps_active.avg.pct_of_peak_sustained_active", {}},
    {"sm__warps_active.avg.per_cycle_active", {}},
    {"smsp__warps_eligible.avg.per_cycle_active", {}},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", {}},
    {"sm__inst_executed.avg.per_cycle_active", {}},
    {"smsp__inst_executed.sum", {}},
    {"smsp__average_warp_latency_per_inst_issued.ratio", {}},
    {"smsp__thread_inst_executed.sum", {}},
    {"smsp__thread_inst_executed_pred_on.sum", {}},
    {"smsp__average_thread_inst_executed_per_inst_executed.ratio",
     {"smsp__thread_inst_executed_per_inst_executed.ratio"}},
    {"smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio",
     {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"}},
    {"smsp__sass_branch_targets.sum", {}},
    {"smsp__sass_branch_targets_threads_divergent.sum", {}},
    {"smsp__warps_launched.sum", {}},
};

const std::vector<WantedMetric> kPipes = {
    {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", {}},
    {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", {}},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", {}},
    {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", {}},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", {}},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", {}},
    {"sm__inst_executed_pipe_tensor.sum", {}},
    {"sm__inst_executed_pipe_tensor_op_hmma.sum", {"sm__inst_executed_pipe_tensor_subpipe_hmma.sum"}},
    {"sm__inst_executed_pipe_tensor_op_imma.sum", {"sm__inst_executed_pipe_tensor_subpipe_imma.sum"}},
    {"sm__inst_executed_pipe_tensor_op_gmma.sum", {}},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", {}},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", {}},
};

/// "smsp__average_warps_issue_stalled_REASON_per_issue_active.ratio": names that live as long as the program.
std::vector<WantedMetric> stall_metrics() {
  static std::deque<std::string> names;
  std::vector<WantedMetric> out;
  for (const std::string_view reason : kStallReasons) {
    names.push_back("smsp__average_warps_issue_stalled_" + std::string(reason) + "_per_issue_active.ratio");
    out.push_back({names.back(), {}});
  }
  return out;
}

std::vector<WantedMetric> all_metrics() {
  std::vector<WantedMetric> out;
  for (const auto* group : {&kSpeedOfLight, &kMemory, &kIssue, &kPipes})
    out.insert(out.end(), group->begin(), group->end());
  for (WantedMetric& stall : stall_metrics()) out.push_back(std::move(stall));
  return out;
}

}  // namespace

const std::vector<WantedMetric>& wanted_metrics() {
  static const std::vector<WantedMetric> all = all_metrics();
  return all;
}

std::span<const std::string_view> stall_reasons() {
  return kStallReasons;
}

}  // namespace kgen::profile
