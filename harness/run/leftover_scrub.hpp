#pragma once

#include <string_view>

#include "harness/cuda/handles.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// Overwrites what launches leave behind in the multiprocessors (shared memory, registers, thread-local
/// memory) with a NaN pattern, so that nothing of it can serve a later launch.
class LeftoverScrub {
 public:
  LeftoverScrub() = default;
  /// `cubin`: own_kernels_source() compiled for the device; empty: nothing can be scrubbed.
  static RunResult<LeftoverScrub> load(std::string_view cubin);
  /// Puts a scrub of every multiprocessor on the stream; nothing where no cubin was given.
  RunResult<void> enqueue(CUstream stream) const;

  static constexpr unsigned kPattern = 0xffffffff;  ///< NaN in every floating type

 private:
  cuda::Module module_;
  CUfunction kernel_ = nullptr;
  unsigned blocks_ = 0, shared_bytes_ = 0;
  cuda::DeviceBuffer sink_;
};

}  // namespace kgen::run
