#pragma once

#include <map>
#include <memory>

#include "harness/emulator/loaded_module.hpp"
#include "harness/judge/execution_device.hpp"

namespace kgen::judge {

class EmulatorDevice;

/// Runs a candidate's PTX on the emulator. The device must outlive it.
class EmulatorRunner final : public Runner {
 public:
  explicit EmulatorRunner(EmulatorDevice& device) : device_(device) {}

  /// `ptx` in place of a cubin, compiled with line numbers.
  run::RunResult<std::vector<core::KernelFacts>> load(std::string_view ptx,
                                                      const std::vector<run::KernelToLoad>& kernels,
                                                      run::Milliseconds limit) override;
  run::RunResult<void> launch(int set, const run::LaunchSequence& sequence, run::Milliseconds limit) override;
  run::RunResult<void> launch_changed(const run::ChangeOfInputs& change, const run::LaunchSequence& sequence,
                                      run::Milliseconds limit) override;
  run::RunResult<std::vector<core::KernelProfile>> launch_counted(int set,
                                                                  const run::LaunchSequence& sequence,
                                                                  run::Milliseconds limit) override;
  /// The emulator never says how long anything takes: a failure of the world.
  run::RunResult<std::vector<double>> time_block(const run::LaunchSequence& sequence,
                                                 const run::TimeBlock& block) override;
  run::RunResult<std::vector<run::GlobalVariable>> globals() override;
  run::RunResult<void> forget_sets() override { return {}; }

  /// The same on buffers given by their addresses. `limit`: of each kernel.
  run::RunResult<void> launch_on(const std::map<std::string, U64>& buffers,
                                 const run::LaunchSequence& sequence, run::Milliseconds limit);

 private:
  run::RunResult<void> launch_kernel(const std::map<std::string, U64>& buffers,
                                     const run::LaunchKernel& launch, int num_sms, run::Milliseconds limit);
  run::RunResult<void> fill_buffer(const std::map<std::string, U64>& buffers, const run::FillBuffer& fill);
  run::RunResult<std::vector<std::byte>> lay_out(const emulator::DecodedFunction& kernel,
                                                 const std::map<std::string, U64>& buffers,
                                                 const run::LaunchKernel& launch) const;

  EmulatorDevice& device_;
  std::unique_ptr<emulator::LoadedModule> module_;
  std::map<std::string, std::string> names_;  ///< lowered name -> the plan's
  U64 launches_ = 0;
  bool counts_code_ = false;
  std::map<std::string, emulator::LaunchCounts> counts_;  ///< by the plan's name of the kernel
  std::string output_;
};

}  // namespace kgen::judge
