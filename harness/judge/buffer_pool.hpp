#pragma once

#include <cstdint>
#include <vector>

#include "harness/cuda/handles.hpp"

namespace kgen::judge {

/// Device memory that is used again instead of freed: freeing makes the device forget its address
/// translations, and what is timed next then takes up to 10% longer (docs/timing.md). Each can be shared
/// alone by CUDA IPC.
class BufferPool {
 public:
  /// At least `bytes`; of 0 bytes a null buffer. Errors: missing (out of device memory).
  Result<cuda::DeviceBuffer> take(std::int64_t bytes);
  void give(cuda::DeviceBuffer buffer);
  /// Of all buffers that nobody uses.
  std::int64_t bytes() const;
  /// Frees them.
  void clear() { idle_.clear(); }

 private:
  std::vector<cuda::DeviceBuffer> idle_;
};

}  // namespace kgen::judge
