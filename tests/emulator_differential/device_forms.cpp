#include "emulator_differential/device_forms.hpp"

#include <algorithm>
#include <string>

namespace kgen::differential {
namespace {

constexpr unsigned kScalarThreads = 128;

Status launch(CUfunction function, const Form& form, CUdeviceptr inputs, CUdeviceptr outputs,
              unsigned cases) {
  void* arguments[] = {&inputs, &outputs, &cases};
  CUlaunchConfig config{};
  config.blockDimX = form.warp ? 32 : kScalarThreads;
  config.gridDimX = form.warp ? cases : (cases + kScalarThreads - 1) / kScalarThreads;
  config.blockDimY = config.blockDimZ = config.gridDimY = config.gridDimZ = 1;
  KGEN_CHECK(KGEN_CU(cuLaunchKernelEx, &config, function, arguments, nullptr));
  return KGEN_CU(cuCtxSynchronize, );
}

}  // namespace

Result<DeviceForms> DeviceForms::load(const std::vector<Form>& forms) {
  DeviceForms loaded;
  loaded.forms_ = &forms;
  const std::string ptx = ptx_module(forms);
  CUmodule module = nullptr;
  KGEN_CHECK(KGEN_CU(cuModuleLoadData, &module, ptx.c_str()));
  loaded.module_ = cuda::Module(module);
  return loaded;
}

Result<std::vector<std::byte>> DeviceForms::run(std::size_t index,
                                                const std::vector<std::byte>& inputs) const {
  const Form& form = (*forms_)[index];
  const std::size_t cases = inputs.size() / static_cast<std::size_t>(form.in_bytes);
  std::vector<std::byte> outputs(cases * static_cast<std::size_t>(form.out_bytes));
  KGEN_TRY(const cuda::DeviceBuffer in,
           cuda::DeviceBuffer::allocate(static_cast<std::int64_t>(inputs.size())));
  KGEN_TRY(const cuda::DeviceBuffer out,
           cuda::DeviceBuffer::allocate(static_cast<std::int64_t>(outputs.size())));
  KGEN_CHECK(KGEN_CU(cuMemcpyHtoD, in.address(), inputs.data(), inputs.size()));
  CUfunction function = nullptr;
  const std::string name = "form_" + std::to_string(index);
  KGEN_CHECK(KGEN_CU(cuModuleGetFunction, &function, module_.get(), name.c_str()));
  KGEN_CHECK(launch(function, form, in.address(), out.address(), static_cast<unsigned>(cases)));
  KGEN_CHECK(KGEN_CU(cuMemcpyDtoH, outputs.data(), out.address(), outputs.size()));
  return outputs;
}

}  // namespace kgen::differential
