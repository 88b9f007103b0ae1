#include "harness/judge/cuda_set.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

constexpr I64 kGranule = 2 << 20;

I64 allocation_bytes(const BufferSpec& spec) {
  if (spec.bytes == 0) return 0;
  return (spec.guard_before + spec.bytes + kGuardBytes + kGranule - 1) / kGranule * kGranule;
}

Status fill_guards(const JudgeKernels& kernels, const GuardedBuffer& buffer) {
  if (buffer.spec.bytes == 0) return {};
  KGEN_CHECK(kernels.set_bytes(buffer.memory.address(), buffer.spec.guard, buffer.spec.guard_before));
  return kernels.set_bytes(buffer.behind(), buffer.spec.guard, buffer.bytes_behind());
}

}  // namespace

I64 set_bytes(const std::vector<BufferSpec>& buffers) {
  I64 total = 0;
  for (const auto& spec : buffers) {
    total += allocation_bytes(spec) + (spec.use == BufferUse::inout ? spec.bytes : 0);
  }
  return total;
}

Result<CudaSet> make_cuda_set(const JudgeKernels& kernels, const std::vector<BufferSpec>& buffers) {
  CudaSet set;
  for (const auto& spec : buffers) {
    GuardedBuffer buffer;
    buffer.spec = spec;
    if (spec.bytes > 0) {
      KGEN_TRY(buffer.memory, cuda::DeviceBuffer::allocate_shareable(allocation_bytes(spec)));
      if (spec.use == BufferUse::inout) {
        KGEN_TRY(buffer.pristine, cuda::DeviceBuffer::allocate(spec.bytes));
      }
    }
    KGEN_CHECK(fill_guards(kernels, buffer));
    set.buffers.push_back(std::move(buffer));
  }
  return set;
}

Result<const GuardedBuffer*> find_buffer(const CudaSet& set, const std::string& name) {
  for (const auto& buffer : set.buffers) {
    if (buffer.spec.name == name) return &buffer;
  }
  return fail(ErrorKind::internal, "the buffer set has no buffer " + name);
}

Result<const ExpectedBuffers*> find_expected(const CudaSet& set, const std::string& name) {
  for (const auto& expected : set.expected) {
    if (expected.name == name) return &expected;
  }
  return fail(ErrorKind::internal, "nothing is expected of output " + name);
}

Status fill_buffer(const JudgeKernels& kernels, const GuardedBuffer& buffer, const FillParams& params) {
  if (buffer.spec.bytes == 0) return {};
  if (buffer.spec.use != BufferUse::inout)
    return kernels.fill(buffer.address(), params, buffer.spec.elements);
  return kernels.fill(buffer.pristine.address(), params, buffer.spec.elements);
}

Status prepare_set(const JudgeKernels& kernels, const CudaSet& set, unsigned char poison) {
  for (const auto& buffer : set.buffers) {
    if (buffer.spec.bytes == 0 || buffer.spec.use == BufferUse::input) continue;
    if (buffer.spec.use == BufferUse::inout) {
      KGEN_CHECK(KGEN_CU(cuMemcpyDtoDAsync, buffer.address(), buffer.pristine.address(),
                         static_cast<std::size_t>(buffer.spec.bytes), kernels.stream()));
    } else {
      KGEN_CHECK(kernels.set_bytes(buffer.address(), poison, buffer.spec.bytes));
    }
  }
  return kernels.wait();  // another process goes on from here
}

Result<std::optional<GuardBreach>> find_breach(JudgeKernels& kernels, const CudaSet& set) {
  std::optional<GuardBreach> breach;
  for (const auto& buffer : set.buffers) {
    if (buffer.spec.bytes == 0) continue;
    KGEN_CHECK(kernels.clear_results({1, 3}));
    KGEN_CHECK(kernels.find_other(buffer.memory.address(), buffer.spec.guard_before, buffer.spec.guard, 0));
    KGEN_CHECK(kernels.find_other(buffer.behind(), buffer.bytes_behind(), buffer.spec.guard, 2));
    KGEN_TRY(const U64* const found, kernels.results());
    if (found[0] == 0 && found[2] == 0) continue;
    if (!breach) {
      const bool before = found[2] == 0;
      const I64 distance =
          before ? buffer.spec.guard_before - static_cast<I64>(found[1]) : static_cast<I64>(found[3]);
      breach = GuardBreach{buffer.spec.name, before, distance};
    }
    KGEN_CHECK(fill_guards(kernels, buffer));
  }
  return breach;
}

}  // namespace kgen::judge
