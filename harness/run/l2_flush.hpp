#pragma once

#include <cstdint>
#include <string_view>

#include "harness/cuda/handles.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// The flush kernels and the buffer they work on. Used by the run role and, for baselines in the judge's own
/// context, by the judge.
class L2Flush {
 public:
  L2Flush() = default;
  /// `cubin`: own_kernels_source() compiled for the device; empty: nothing can be flushed.
  static RunResult<L2Flush> load(std::string_view cubin);
  /// Makes room for flushes of `bytes`.
  RunResult<void> reserve(std::int64_t bytes);
  /// Puts a flush of the reserved bytes on the stream; nothing where that is 0.
  RunResult<void> enqueue(CUstream stream) const;

 private:
  cuda::Module module_;
  CUfunction write_ = nullptr, read_ = nullptr;
  unsigned blocks_ = 0;
  cuda::DeviceBuffer buffer_, sink_;
  std::int64_t bytes_ = 0;
};

}  // namespace kgen::run
