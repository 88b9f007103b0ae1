#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/judge/block_series.hpp"
#include "harness/judge/execution_device.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

class TorchServer;

/// One baseline of an op for one task, ready to be timed on the device's sets, or the reason why it is not.
struct ReadyBaseline {
  core::BaselineTiming timing;  ///< name, library, process, why_missing
  std::function<Result<std::vector<double>>(const run::TimeBlock&)> time;
  bool slow = false;  ///< two rounds are enough: nobody compares with it closely
};

/// What a user would call instead: naive kernels in run processes of their own, torch in its process,
/// cuBLASLt in the judge's. All stay warm from one evaluation of a task to the next.
class Baselines {
 public:
  /// `torch` null: there is none, `why_no_torch` says why.
  Baselines(ExecutionDevice& device, core::DeviceFacts facts, CompileAll compile_all,
            std::unique_ptr<TorchServer> torch, std::string why_no_torch);
  ~Baselines();

  /// Makes the task's baselines ready to run on these sets of the device (whose inputs are filled).
  Result<std::vector<ReadyBaseline>> ready(const core::Task& task, const std::vector<int>& sets);
  /// Whether ready() would have to compile or warm up anything for the task.
  bool is_warm(const core::Task& task) const;
  /// Before the device's sets are dropped.
  void forget_sets();

 private:
  struct Naive;
  Result<ReadyBaseline> ready_naive(const core::Task& task, const core::Baseline& baseline);
  Result<ReadyBaseline> ready_product(const core::Task& task, const core::Baseline& baseline,
                                      const std::vector<int>& sets);
  ReadyBaseline ready_torch(const core::Task& task, const core::Baseline& baseline,
                            const std::vector<int>& sets);

  ExecutionDevice& device_;
  core::DeviceFacts facts_;
  CompileAll compile_all_;
  std::unique_ptr<TorchServer> torch_;
  std::string why_no_torch_;
  std::map<std::string, std::unique_ptr<Naive>> naives_;  ///< by task and baseline
  std::map<std::string, std::unique_ptr<LibraryProduct>> products_;
  bool torch_mapped_ = false;  ///< torch holds some of the device's sets
  std::string task_;           ///< whose baselines are warm
};

}  // namespace kgen::judge
