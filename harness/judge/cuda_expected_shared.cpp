#include <utility>

#include "harness/judge/cuda_device.hpp"

// Memory that an oracle in another process reads inputs from and writes expected values to. That process
// closes it before it answers; run processes, where candidates are loaded, are never told of it.
namespace kgen::judge {
namespace {

constexpr I64 kAlignment = 256;
/// Idle memory above this is freed for the oracle, which is another process and cannot use it.
constexpr I64 kMostIdle = I64{2} << 30;

Error no_room(const std::string& what, I64 bytes, const Error& error) {
  return {
      error.kind,
      "no room on the device for " + what + " (" + std::to_string(bytes >> 20) + " MiB): " + error.message,
      kRoomHint};
}

Result<IpcArray> array_of(const cuda::DeviceBuffer& buffer) {
  IpcArray out;
  if (buffer.bytes() > 0) {
    KGEN_TRY(out.ipc_handle, buffer.ipc_handle());
  }
  return out;
}

}  // namespace

Result<std::vector<IpcArray>> CudaDevice::stage_inputs(const std::vector<InputToStage>& inputs) {
  drop_staged();
  std::vector<IpcArray> out;
  I64 bytes = 0;
  for (const InputToStage& input : inputs) {
    out.push_back({"", bytes});
    bytes += (input.bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  auto staged = pool_of_buffers_.take(bytes);
  if (!staged) return tl::unexpected(no_room("the inputs of reference.py", bytes, staged.error()));
  staged_ = std::move(*staged);
  if (pool_of_buffers_.bytes() > kMostIdle) pool_of_buffers_.clear();
  if (bytes == 0) return out;
  KGEN_TRY(const std::string handle, staged_.ipc_handle());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].bytes == 0) continue;
    out[i].ipc_handle = handle;
    const auto address = staged_.address() + static_cast<CUdeviceptr>(out[i].offset);
    KGEN_CHECK(kernels_.fill(address, inputs[i].params, inputs[i].elements));
  }
  KGEN_CHECK(kernels_.wait());  // another process goes on from here
  return out;
}

void CudaDevice::drop_staged() {
  pool_of_buffers_.give(std::exchange(staged_, {}));
}

Result<std::vector<SharedExpected>> CudaDevice::share_expected(int set,
                                                               const std::vector<OutputToShare>& outputs,
                                                               unsigned char poison) {
  std::vector<SharedExpected> out;
  for (const OutputToShare& output : outputs) {
    const I64 bytes = 8 * output.elements;
    if (const auto made = allocate_expected(at(set), output.name, output.elements, output.with_scale); !made)
      return tl::unexpected(no_room("what is expected of " + output.name, bytes, made.error()));
    KGEN_TRY(const auto* const expected, find_expected(at(set), output.name));
    SharedExpected& shared = out.emplace_back();
    if (bytes == 0) continue;
    KGEN_TRY(shared.values, array_of(expected->values));
    KGEN_CHECK(kernels_.set_bytes(expected->values.address(), poison, bytes));
    if (!output.with_scale) continue;
    KGEN_TRY(shared.scale, array_of(expected->scale));
    KGEN_CHECK(kernels_.set_bytes(expected->scale.address(), poison, bytes));
  }
  KGEN_CHECK(kernels_.wait());
  return out;
}

}  // namespace kgen::judge
