#include "emulated_kernels.hpp"

#include "harness/compile/compiler_log.hpp"

namespace kgen::emulator {

std::string EmulatedKernels::ptx_of(const std::string& source) {
  compile::CompileRequest request;
  request.source = source;
  request.kernels = {kernel_name};
  request.lineinfo = true;
  request.want_ptx = true;
  request.want_cubin = false;
  const auto result = compiler_->compile(request);
  EXPECT_TRUE(result.ok) << result.message << "\n" << result.log;
  if (result.ok) kernel_name = result.kernels.front().lowered_name;
  return result.ptx;
}

void EmulatedKernels::load_ptx(const std::string& ptx) {
  module_.reset();
  auto loaded = LoadedModule::load(ptx, compile::kCandidateFile, memory_);
  ASSERT_TRUE(loaded) << loaded.error().text();
  module_ = std::move(*loaded);
}

std::optional<Diagnosis> EmulatedKernels::run(std::vector<std::byte> arguments) {
  settings.most_time = std::chrono::seconds(20);
  return run_launch(module_->program(), kernel_name, memory_, settings, std::move(arguments), counts, output);
}

}  // namespace kgen::emulator
