#include "harness/run/plan_launcher.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "harness/run/fault_table.hpp"
#include "harness/run/tensor_map.hpp"

namespace kgen::run {
namespace {

constexpr int kPortableCluster = 8;

tl::unexpected<RunFailure> refuse(std::string fine, std::string message, int step = -1) {
  return tl::unexpected<RunFailure>(
      RunFailure{RunFailure::Kind::launch_error, std::move(fine), {}, std::move(message), step});
}

/// Dynamic shared memory and clusters above 8 blocks are opted into, function by function: without it a
/// launch may have 48 KiB of static and dynamic shared memory together.
RunResult<void> opt_in(CUfunction function, const KernelToLoad& kernel) {
  if (kernel.dynamic_shared_bytes > 0) {
    KGEN_CHECK(
        check_run(cuda::driver().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                    static_cast<int>(kernel.dynamic_shared_bytes)),
                  Phase::load, kernel.name));
  }
  if (kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2] > kPortableCluster) {
    KGEN_CHECK(check_run(
        cuda::driver().cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        Phase::load, kernel.name));
  }
  return {};
}

RunResult<BufferView> find_buffer(const BufferViews& buffers, const std::string& name, int step) {
  const auto it = buffers.find(name);
  if (it == buffers.end()) return refuse("unknown_buffer", "the buffer set has no " + name, step);
  return it->second;
}

void store(PreparedSequence::Slot& slot, const void* bytes, std::size_t size) {
  std::memcpy(slot.bytes.data(), bytes, size);
}

using EncodedMaps = std::map<std::string, CUtensorMap>;

RunResult<EncodedMaps> encode_maps(const LaunchSequence& sequence, const BufferViews& buffers) {
  EncodedMaps out;
  for (const core::ResolvedTensorMap& map : sequence.tensor_maps) {
    KGEN_TRY(const BufferView buffer, find_buffer(buffers, map.buffer, -1));
    KGEN_TRY(out[map.name], encode_tensor_map(map, buffer.address));
  }
  return out;
}

RunResult<PreparedSequence::Slot> argument_slot(const core::BoundArgument& argument,
                                                const BufferViews& buffers, const EncodedMaps& maps,
                                                int step) {
  PreparedSequence::Slot slot;
  switch (argument.kind) {
    case core::BoundArgument::Kind::buffer: {
      KGEN_TRY(const BufferView buffer, find_buffer(buffers, argument.name, step));
      const CUdeviceptr address = buffer.bytes > 0 ? buffer.address : 0;
      store(slot, &address, sizeof address);
      break;
    }
    case core::BoundArgument::Kind::tensor_map: {
      const auto it = maps.find(argument.name);
      if (it == maps.end()) return refuse("tensor_map", "the plan has no tensor map " + argument.name, step);
      store(slot, &it->second, sizeof(CUtensorMap));
      break;
    }
    case core::BoundArgument::Kind::bytes:
      if (argument.bytes.size() > slot.bytes.size()) {
        return refuse("argument_size", "an argument of " + std::to_string(argument.bytes.size()) + " bytes",
                      step);
      }
      store(slot, argument.bytes.data(), argument.bytes.size());
  }
  return slot;
}

RunResult<void> enqueue_kernel(const PreparedSequence::Kernel& kernel, CUstream stream, int step) {
  const LaunchKernel& launch = *kernel.launch;
  std::vector<void*> parameters;
  for (const auto& slot : kernel.args) parameters.push_back(const_cast<std::byte*>(slot.bytes.data()));
  std::array<CUlaunchAttribute, 3> attributes{};
  unsigned count = 0;
  if (launch.cluster[0] > 0) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[count++].value.clusterDim = {static_cast<unsigned>(launch.cluster[0]),
                                            static_cast<unsigned>(launch.cluster[1]),
                                            static_cast<unsigned>(launch.cluster[2])};
  }
  if (launch.cooperative) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[count++].value.cooperative = 1;
  }
  if (launch.pdl) {
    attributes[count].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attributes[count++].value.programmaticStreamSerializationAllowed = 1;
  }
  CUlaunchConfig config{};
  config.gridDimX = static_cast<unsigned>(launch.grid[0]);
  config.gridDimY = static_cast<unsigned>(launch.grid[1]);
  config.gridDimZ = static_cast<unsigned>(launch.grid[2]);
  config.blockDimX = static_cast<unsigned>(launch.block[0]);
  config.blockDimY = static_cast<unsigned>(launch.block[1]);
  config.blockDimZ = static_cast<unsigned>(launch.block[2]);
  config.sharedMemBytes = static_cast<unsigned>(launch.dynamic_shared_bytes);
  config.hStream = stream;
  config.attrs = attributes.data();
  config.numAttrs = count;
  return check_run(cuda::driver().cuLaunchKernelEx(&config, kernel.function, parameters.data(), nullptr),
                   Phase::launch, launch.lowered_name, step);
}

/// The driver fills 1, 2 and 4 bytes; 8 bytes are two interleaved columns of words.
RunResult<void> enqueue_fill(const PreparedSequence::Fill& prepared, CUstream stream, int step) {
  const FillBuffer& fill = *prepared.fill;
  const auto count = static_cast<std::size_t>(fill.count);
  const auto low = static_cast<unsigned>(fill.pattern), high = static_cast<unsigned>(fill.pattern >> 32);
  const auto& driver = cuda::driver();
  const CUdeviceptr at = prepared.address;
  const std::string what = "filling " + fill.buffer;
  if (count == 0) return {};
  switch (fill.element_bytes) {
    case 1:
      return check_run(driver.cuMemsetD8Async(at, static_cast<unsigned char>(low), count, stream),
                       Phase::launch, what, step);
    case 2:
      return check_run(driver.cuMemsetD16Async(at, static_cast<unsigned short>(low), count, stream),
                       Phase::launch, what, step);
    case 4:
      return check_run(driver.cuMemsetD32Async(at, low, count, stream), Phase::launch, what, step);
    case 8:
      if (low == high)
        return check_run(driver.cuMemsetD32Async(at, low, 2 * count, stream), Phase::launch, what, step);
      KGEN_CHECK(
          check_run(driver.cuMemsetD2D32Async(at, 8, low, 1, count, stream), Phase::launch, what, step));
      return check_run(driver.cuMemsetD2D32Async(at + 4, 8, high, 1, count, stream), Phase::launch, what,
                       step);
    default:
      return refuse("fill", what + " with elements of " + std::to_string(fill.element_bytes) + " bytes",
                    step);
  }
}

}  // namespace

RunResult<PlanLauncher> PlanLauncher::load(std::string_view cubin, const std::vector<KernelToLoad>& kernels) {
  PlanLauncher out;
  CUmodule module = nullptr;
  const std::string image(cubin);  // the driver reads past the end of an image that is not NUL-terminated
  KGEN_CHECK(
      check_run(cuda::driver().cuModuleLoadData(&module, image.c_str()), Phase::load, "the compiled file"));
  out.module_ = cuda::Module(module);
  out.kernels_ = kernels;
  for (const KernelToLoad& kernel : kernels) {
    CUfunction function = nullptr;
    KGEN_CHECK(check_run(cuda::driver().cuModuleGetFunction(&function, module, kernel.lowered_name.c_str()),
                         Phase::load, kernel.name));
    KGEN_CHECK(check_run(cuda::driver().cuFuncLoad(function), Phase::load, kernel.name));
    KGEN_CHECK(opt_in(function, kernel));
    out.functions_[kernel.lowered_name] = function;
  }
  return out;
}

RunResult<PreparedSequence> PlanLauncher::prepare(const LaunchSequence& sequence,
                                                  const BufferViews& buffers) const {
  KGEN_TRY(const EncodedMaps maps, encode_maps(sequence, buffers));
  PreparedSequence out;
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
    const int step = static_cast<int>(i);
    if (const auto* fill = std::get_if<FillBuffer>(&sequence.steps[i])) {
      KGEN_TRY(const BufferView buffer, find_buffer(buffers, fill->buffer, step));
      if (fill->count < 0 || fill->count * fill->element_bytes > buffer.bytes) {
        return refuse("fill", "filling " + fill->buffer + " past its end", step);
      }
      out.steps.emplace_back(PreparedSequence::Fill{buffer.address, fill});
      continue;
    }
    const auto& launch = std::get<LaunchKernel>(sequence.steps[i]);
    const auto function = functions_.find(launch.lowered_name);
    if (function == functions_.end())
      return refuse("kernel_not_found", launch.lowered_name + " is not loaded", step);
    PreparedSequence::Kernel kernel{function->second, &launch, {}};
    for (const core::BoundArgument& argument : launch.args) {
      KGEN_TRY(const PreparedSequence::Slot slot, argument_slot(argument, buffers, maps, step));
      kernel.args.push_back(slot);
    }
    out.steps.emplace_back(std::move(kernel));
  }
  return out;
}

RunResult<void> enqueue_step(const PreparedSequence& prepared, std::size_t step, CUstream stream) {
  const int index = static_cast<int>(step);
  if (const auto* fill = std::get_if<PreparedSequence::Fill>(&prepared.steps[step]))
    return enqueue_fill(*fill, stream, index);
  return enqueue_kernel(std::get<PreparedSequence::Kernel>(prepared.steps[step]), stream, index);
}

RunResult<void> enqueue(const PreparedSequence& prepared, CUstream stream) {
  for (std::size_t i = 0; i < prepared.steps.size(); ++i) KGEN_CHECK(enqueue_step(prepared, i, stream));
  return {};
}

RunResult<void> wait_for_stream(CUstream stream) {
  // Spins while an answer is near (a short kernel's), then sleeps between looks so that a hung kernel costs
  // no core.
  const auto spin_until = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  for (;;) {
    const CUresult code = cuda::driver().cuStreamQuery(stream);
    if (code != CUDA_ERROR_NOT_READY) {
      // A synchronising call is what hands a kernel's printf over.
      const CUresult last = code == CUDA_SUCCESS ? cuda::driver().cuStreamSynchronize(stream) : code;
      return check_run(last, Phase::execution, "the kernel");
    }
    if (std::chrono::steady_clock::now() > spin_until)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace kgen::run
