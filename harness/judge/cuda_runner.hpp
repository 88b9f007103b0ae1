#pragma once

#include <set>

#include "harness/judge/cuda_device.hpp"

namespace kgen::judge {

/// A run process on a CUDA device. Sets are mapped when they are first used.
class CudaRunner final : public Runner {
 public:
  CudaRunner(CudaDevice& device, run::RunProcess process) : device_(device), process_(std::move(process)) {}

  /// A process that let go of all memory is ended in the background (its context takes a while to close), any
  /// other here and now.
  ~CudaRunner() override;

  run::RunResult<std::vector<core::KernelFacts>> load(std::string_view cubin,
                                                      const std::vector<run::KernelToLoad>& kernels,
                                                      run::Milliseconds limit) override;
  run::RunResult<void> launch(int set, const run::LaunchSequence& sequence, run::Milliseconds limit) override;
  run::RunResult<void> launch_in_row(const std::vector<int>& order, const run::LaunchSequence& sequence,
                                     run::Milliseconds limit) override;
  run::RunResult<void> launch_changed(const run::ChangeOfInputs& change, const run::LaunchSequence& sequence,
                                      run::Milliseconds limit) override;
  run::RunResult<std::vector<double>> time_block(const run::LaunchSequence& sequence,
                                                 const run::TimeBlock& block) override;
  run::RunResult<std::vector<run::GlobalVariable>> globals() override;
  run::RunResult<void> forget_sets() override;
  std::string output() const override { return process_.output(); }

 private:
  run::RunResult<void> map(int set);
  CudaDevice& device_;
  bool holds_nothing_ = true;  ///< no memory of the judge's is mapped
  run::RunProcess process_;
  std::set<int> mapped_;
};

}  // namespace kgen::judge
