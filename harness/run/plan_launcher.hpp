#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/run/launch_sequence.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// A tensor or workspace in this process's address space; bytes 0: a null pointer.
struct BufferView {
  CUdeviceptr address = 0;
  std::int64_t bytes = 0;
};
using BufferViews = std::map<std::string, BufferView>;

/// A sequence bound to the buffers of one set: tensor maps encoded, arguments laid out, nothing left to
/// compute at launch.
struct PreparedSequence {
  struct alignas(64) Slot {
    std::array<std::byte, 128> bytes{};  ///< a scalar, a pointer or a CUtensorMap
  };
  struct Kernel {
    CUfunction function = nullptr;
    const LaunchKernel* launch = nullptr;  ///< in the sequence, which must outlive this
    std::vector<Slot> args;
  };
  struct Fill {
    CUdeviceptr address = 0;
    const FillBuffer* fill = nullptr;
  };
  std::vector<std::variant<Kernel, Fill>> steps;
};

/// A cubin loaded into the current context, and how its kernels are launched: by the run role for candidates,
/// and by the judge for its oracles and naive baselines.
class PlanLauncher {
 public:
  PlanLauncher() = default;
  /// Loads every kernel (no lazy loading) and sets what its launches need (dynamic shared memory, cluster
  /// size).
  static RunResult<PlanLauncher> load(std::string_view cubin, const std::vector<KernelToLoad>& kernels);

  /// Registers, shared memory, stack and occupancy of each kernel, in the order of load().
  RunResult<std::vector<core::KernelFacts>> facts() const;

  /// Binds the sequence to buffers; it must outlive what comes back.
  RunResult<PreparedSequence> prepare(const LaunchSequence& sequence, const BufferViews& buffers) const;

  CUmodule module() const { return module_.get(); }

 private:
  cuda::Module module_;
  std::vector<KernelToLoad> kernels_;
  std::map<std::string, CUfunction> functions_;
};

/// Puts one execution on the stream; does not wait.
RunResult<void> enqueue(const PreparedSequence& prepared, CUstream stream);

/// Puts one of its steps on the stream.
RunResult<void> enqueue_step(const PreparedSequence& prepared, std::size_t step, CUstream stream);

/// Waits for the stream. Faults come out here.
RunResult<void> wait_for_stream(CUstream stream);

/// The one table from the driver's error codes to failures. `at_launch`: returned by the launch itself, not
/// later.
RunFailure failure_of(CUresult code, std::string_view call, bool at_launch, int step = -1);

}  // namespace kgen::run
