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

/// Something that a profile should hold and does not, and why.
struct ProfileGap {
  std::string what;    ///< "counters", "stalls by line", "SASS"
  std::string why;     ///< "cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (...)"
  std::string advice;  ///< what a person does about it; may be empty
};

/// What the task asks for, whatever kernel does it; 0: not known.
struct ProfileTask {
  double op_bytes = 0;            ///< that the op must move at least
  double product_flops = 0;       ///< that its matrix products take
  double tensor_flops_per_s = 0;  ///< of the tensor cores for its dtype; 0: they do not do it
};

/// Counters of one execution of the plan: what work was done and, of a device, what it waited for.
struct Profile {
  std::string source;      ///< who counted: "emulator", "CUPTI"; empty: nobody could
  bool simulated = false;  ///< from PTX, not from the machine code, and without caches
  Dims dims;
  ProfileTask task;
  std::vector<KernelProfile> kernels;
  std::vector<ProfileGap> gaps;
  std::vector<std::string> not_available;  ///< metrics that the chip has nothing for
  double cost_ms = 0;                      ///< what it took to profile
};

/// The names in use. The counters are those of GH100.
namespace metrics {
inline constexpr std::string_view kDuration = "gpu__time_duration.sum";  ///< nanoseconds
/// Samples of a line or a kernel by what the warp waited for; followed by the reason.
inline constexpr std::string_view kSamples = "smsp__pcsamp_warps_issue_stalled_";
inline constexpr std::string_view kNotIssued =
    "_not_issued";  ///< behind it: no other warp could go on either
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

/// Machine instructions in the kernel's code (not executed ones), as nvdisasm lists them: all, and by kind:
/// followed by "HMMA", "MUFU", "BAR" ..., of loads and stores by the bits a lane moves ("LDG.128"). Names of
/// kgen's own. A kind that does not stand in the code is not there.
inline constexpr std::string_view kSassAll = "sass__inst";
inline constexpr std::string_view kSass = "sass__inst_";
}  // namespace metrics

/// Whether it was counted (a 0 is a count).
bool has_metric(const Metrics& all, std::string_view name);

/// Several launches of one kernel as one: sums of ".sum" and of samples, the largest ".max", the smallest
/// ".min", and all else weighted by the time of each launch (gpu__time_duration.sum; alike where it lacks). A
/// metric is kept only where every launch has it. `number`: how many launches these stand for (0:
/// themselves); sums of counters are scaled to it.
Metrics merge_launches(const std::vector<Metrics>& launches, std::size_t number = 0);

/// "PREFIX" "NAME" "SUFFIX" in one.
std::string metric_name(std::string_view prefix, std::string_view name, std::string_view suffix);

/// Floating-point operations of every kind, those of the tensor cores among them.
double flops_of(const Metrics& all);

nlohmann::json to_json(const Profile& profile);
/// Throws nlohmann's exceptions, as other readers of an evaluation's parts.
Profile profile_from_json(const nlohmann::json& json);

}  // namespace kgen::core
