#pragma once

#include <vector>

#include "harness/cuda/handles.hpp"
#include "harness/judge/execution_device.hpp"
#include "harness/judge/judge_kernels.hpp"

namespace kgen::judge {

/// One tensor or workspace in an allocation of its own: guard, tensor (256-byte aligned), guard. Of 0 bytes:
/// nothing.
struct GuardedBuffer {
  BufferSpec spec;
  cuda::DeviceBuffer memory;
  cuda::DeviceBuffer pristine;  ///< of an inout: its values before the execution

  CUdeviceptr address() const {
    return spec.bytes == 0 ? 0 : memory.address() + static_cast<CUdeviceptr>(spec.guard_before);
  }
  CUdeviceptr behind() const { return address() + static_cast<CUdeviceptr>(spec.bytes); }
  I64 bytes_behind() const { return memory.bytes() - spec.guard_before - spec.bytes; }
};

/// What is expected of one output, on the device in fp64; scale may be null.
struct ExpectedBuffers {
  std::string name;
  cuda::DeviceBuffer values, scale;
};

struct CudaSet {
  std::vector<GuardedBuffer> buffers;
  std::vector<ExpectedBuffers> expected;
};

/// Bytes of device memory that a set of these buffers takes.
I64 set_bytes(const std::vector<BufferSpec>& buffers);
Result<CudaSet> make_cuda_set(const JudgeKernels& kernels, const std::vector<BufferSpec>& buffers);
/// Errors: internal (no such buffer).
Result<const GuardedBuffer*> find_buffer(const CudaSet& set, const std::string& name);
Result<const ExpectedBuffers*> find_expected(const CudaSet& set, const std::string& name);

Status fill_buffer(const JudgeKernels& kernels, const GuardedBuffer& buffer, const FillParams& params);
Status prepare_set(const JudgeKernels& kernels, const CudaSet& set, unsigned char poison);
Result<std::optional<GuardBreach>> find_breach(JudgeKernels& kernels, const CudaSet& set);

}  // namespace kgen::judge
