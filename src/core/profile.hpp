#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/op.hpp"
#include "util/error.hpp"

namespace kgen::core {

/// Counters by the names that Nsight Compute gives them ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").
/// One that is not there was not counted; one that would be 0 may be left out.
using Metrics = std::map<std::string, double, std::less<>>;

/// The value of a metric; 0 where it is not there.
double metric(const Metrics& all, std::string_view name);

/// What one line of the candidate's file did.
struct LineProfile {
  int line = 0;  ///< from 1; 0: code of headers
  Metrics metrics;
};

/// What one kernel of the plan did, all its launches of one execution together.
struct KernelProfile {
  std::string kernel;
  Metrics metrics;
  std::vector<LineProfile> lines;  ///< in the file's order
};

/// Counters of one execution of the plan. They say what work was done, never how long it took.
struct Profile {
  std::string source;      ///< who counted: "emulator"
  bool simulated = false;  ///< from PTX, not from the machine code, and without caches
  Dims dims;
  std::vector<KernelProfile> kernels;
};

/// The names in use. The counters are those of GH100.
namespace metrics {
inline constexpr std::string_view kWarpInstructions = "smsp__inst_executed.sum";
inline constexpr std::string_view kThreadInstructions = "smsp__thread_inst_executed.sum";
inline constexpr std::string_view kThreadInstructionsOn = "smsp__thread_inst_executed_pred_on.sum";
inline constexpr std::string_view kThreadsPerInstruction =
    "smsp__average_thread_inst_executed_per_inst_executed.ratio";
inline constexpr std::string_view kBranchTargets = "smsp__sass_branch_targets.sum";
inline constexpr std::string_view kDivergentBranches = "smsp__sass_branch_targets_threads_divergent.sum";

/// Followed by ld, st, atom, red or ldgsts (cp.async), and ".sum".
inline constexpr std::string_view kGlobalRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
inline constexpr std::string_view kGlobalSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
inline constexpr std::string_view kGlobalBytes = "smsp__sass_data_bytes_mem_global_op_";
/// Followed by ld or st, and ".ratio".
inline constexpr std::string_view kSectorsPerRequest =
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_";
/// Sectors that the same bytes would need at least, of all accesses: a column of the source view.
inline constexpr std::string_view kIdealGlobalSectors = "memory_l2_theoretical_sectors_global_ideal";

/// Followed by ld or st, and ".sum".
inline constexpr std::string_view kSharedWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
inline constexpr std::string_view kBankConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";
inline constexpr std::string_view kSharedAtomics = "smsp__inst_executed_op_shared_atom.sum";
inline constexpr std::string_view kLocalLoads = "smsp__inst_executed_op_local_ld.sum";
inline constexpr std::string_view kLocalStores = "smsp__inst_executed_op_local_st.sum";

/// Instruction mix; followed by fp32, fp64, fp16, integer, bit, conversion, control, memory,
/// inter_thread_communication, misc, also fadd, fmul, ffma, dadd .. hfma, and "_pred_on.sum".
inline constexpr std::string_view kThreadOps = "smsp__sass_thread_inst_executed_op_";
/// Flops: an fma counts twice. Followed by fadd_fmul_ffma, dadd_dmul_dfma or hadd_hmul_hfma and
/// "_pred_on.sum".
inline constexpr std::string_view kThreadFlops = "smsp__sass_thread_inst_executed_ops_";
inline constexpr std::string_view kTensorInstructions = "smsp__inst_executed_pipe_tensor.sum";
/// Operations of the tensor cores; followed by bf16_dst_fp32, fp16, tf32_dst_fp32, fp64, fp8, int8 and
/// ".sum".
inline constexpr std::string_view kTensorOps = "sm__ops_path_tensor_src_";
}  // namespace metrics

/// "PREFIX" "NAME" "SUFFIX" in one.
std::string metric_name(std::string_view prefix, std::string_view name, std::string_view suffix);

/// Floating-point operations of every kind, those of the tensor cores among them.
double flops_of(const Metrics& all);

nlohmann::json to_json(const Profile& profile);
/// Throws nlohmann's exceptions, as other readers of an evaluation's parts.
Profile profile_from_json(const nlohmann::json& json);

}  // namespace kgen::core
