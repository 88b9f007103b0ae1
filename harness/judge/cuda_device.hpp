#pragma once

#include <map>

#include "harness/cuda/cublas.hpp"
#include "harness/judge/buffer_pool.hpp"
#include "harness/judge/cuda_set.hpp"
#include "harness/run/plan_launcher.hpp"
#include "harness/run/run_pool.hpp"

namespace kgen::judge {

/// A CUDA device: buffers in the judge's context, shared with run processes by CUDA IPC.
class CudaDevice final : public ExecutionDevice {
 public:
  /// Makes the context, compiles the judge's kernels and starts run processes ahead.
  /// `run_command`: how the run role is started.
  static Result<std::unique_ptr<CudaDevice>> open(const core::DeviceFacts& facts,
                                                  const CompileAll& compile_all,
                                                  std::vector<std::string> run_command);
  ~CudaDevice() override;

  Result<I64> free_bytes() override;
  Result<int> make_set(const std::vector<BufferSpec>& buffers) override;
  void drop_sets() override;
  Status fill(int set, const std::string& buffer, const FillParams& params) override;
  Status prepare(int set, unsigned char poison) override;
  Result<U64> hash(int set, BufferUse use, U64 key) override;
  Result<std::optional<GuardBreach>> guard_breach(int set) override;
  Result<std::string> read(int set, const std::string& buffer, I64 first, I64 count) override;
  Status set_expected(int set, std::vector<ExpectedOutput> expected) override;
  Status compute_expected(int set, const OracleProgram& oracle) override;
  Result<bool> expect_product(int set, const core::GemmShape& shape, bool with_scale) override;
  bool shares_with_oracles() const override { return true; }
  Result<std::vector<IpcArray>> stage_inputs(const std::vector<InputToStage>& inputs) override;
  void drop_staged() override;
  Result<std::vector<SharedExpected>> share_expected(int set, const std::vector<OutputToShare>& outputs,
                                                     unsigned char poison) override;
  void drop_expected(int set) override;
  Result<CompareCount> compare(int set, const std::string& output, const ToleranceParams& params) override;
  Result<ExpectedOutput> read_expected(int set, const std::string& output, I64 first, I64 count) override;
  /// Asked once; waits for a process.
  std::map<std::string, std::string> run_sandbox() override;
  Result<std::unique_ptr<Runner>> start_runner() override;
  Status start_ahead() override { return pool_.refill(); }
  Status settle() override;
  profile::ProfileReading profile(int set, const ProfileSubject& subject) override;
  Result<std::unique_ptr<LibraryProduct>> library_product(const core::GemmShape& shape,
                                                          const std::vector<int>& sets) override;
  Result<run::BufferSet> shared_buffers(int set) override;
  bool runs_oracles() const override { return true; }

  const cuda::Context& context() const { return context_; }
  Result<CUdeviceptr> address_of(int set, const std::string& buffer);

 private:
  CudaDevice(cuda::Context context, JudgeKernels kernels, run::RunPool pool);
  CudaSet& at(int set) { return sets_.at(static_cast<std::size_t>(set)); }
  /// f64 buffers for what is expected of an output.
  Status allocate_expected(CudaSet& set, const std::string& name, I64 elements, bool with_scale);
  /// Opened when first asked for; null where it is not there.
  const cuda::Cublas* cublas();
  Result<const run::PlanLauncher*> launcher_of(const OracleProgram& oracle);

  cuda::Context context_;
  JudgeKernels kernels_;
  run::RunPool pool_;
  std::map<std::string, std::string> run_sandbox_;
  std::vector<CudaSet> sets_;
  BufferPool pool_of_buffers_;  ///< for expected values and what making them needs
  cuda::DeviceBuffer staged_;   ///< inputs for an oracle in another process
  std::optional<cuda::Cublas> cublas_;
  bool cublas_tried_ = false;
  std::string kernels_cubin_;  ///< of the run role: flush kernels
  std::int64_t l2_bytes_ = 0;
  std::vector<std::string> run_command_;
  int index_ = 0;
  std::optional<profile::Profiler> profiler_;           ///< from the first profile on
  std::map<std::string, run::PlanLauncher> launchers_;  ///< of oracles, by cubin
};

}  // namespace kgen::judge
