#include "emulator_corpus/device_case.hpp"

#include <algorithm>
#include <map>

#include "harness/cuda/handles.hpp"

namespace kgen::corpus {
namespace {

using Buffers = std::map<std::string, cuda::DeviceBuffer>;

/// What nothing has written holds a pattern that is no result.
Result<Buffers> allocate(const Case& of) {
  Buffers buffers;
  for (const Buffer& buffer : of.buffers) {
    KGEN_TRY(auto made,
             cuda::DeviceBuffer::allocate(static_cast<std::int64_t>(std::max<std::size_t>(buffer.bytes, 1))));
    const Bytes first = buffer.before.empty() ? Bytes(buffer.bytes, std::byte{0xcd}) : buffer.before;
    KGEN_CHECK(KGEN_CU(cuMemcpyHtoD, made.address(), first.data(), first.size()));
    buffers[buffer.name] = std::move(made);
  }
  return buffers;
}

Status launch(CUmodule module, const std::string& name, const Step& step, const Buffers& buffers) {
  CUfunction function = nullptr;
  KGEN_CHECK(KGEN_CU(cuModuleGetFunction, &function, module, name.c_str()));
  std::vector<Bytes> values;
  for (const Argument& argument : step.arguments) {
    values.push_back(argument.bytes);
    if (argument.buffer.empty()) continue;
    const CUdeviceptr address = buffers.at(argument.buffer).address();
    values.back().resize(sizeof address);
    std::memcpy(values.back().data(), &address, sizeof address);
  }
  std::vector<void*> arguments;
  for (Bytes& value : values) arguments.push_back(value.data());
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = step.grid.x, config.gridDimY = step.grid.y, config.gridDimZ = step.grid.z;
  config.blockDimX = step.block.x, config.blockDimY = step.block.y, config.blockDimZ = step.block.z;
  config.sharedMemBytes = step.dynamic_shared;
  config.attrs = &cooperative;
  config.numAttrs = step.cooperative ? 1 : 0;
  KGEN_CHECK(KGEN_CU(cuLaunchKernelEx, &config, function, arguments.data(), nullptr));
  return KGEN_CU(cuCtxSynchronize, );
}

}  // namespace

Result<std::string> problems_on_gpu(const Case& of, const CompiledFile& file) {
  CUmodule loaded = nullptr;
  KGEN_CHECK(KGEN_CU(cuModuleLoadData, &loaded, file.ptx.c_str()));
  const cuda::Module module(loaded);
  KGEN_TRY(const Buffers buffers, allocate(of));
  for (const Step& step : of.steps)
    KGEN_CHECK(launch(module.get(), file.lowered_name(step.kernel), step, buffers));
  std::string text;
  for (const Buffer& buffer : of.buffers) {
    if (!buffer.check) continue;
    Bytes got(buffer.bytes);
    KGEN_CHECK(KGEN_CU(cuMemcpyDtoH, got.data(), buffers.at(buffer.name).address(), got.size()));
    const std::string wrong = buffer.check(got);
    if (!wrong.empty()) text += buffer.name + ": " + wrong;
  }
  return text;
}

}  // namespace kgen::corpus
