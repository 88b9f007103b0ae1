#include "compile_cubin.hpp"

#include <map>
#include <span>
#include <stdexcept>

#include "harness/compile/nvrtc_library.hpp"
#include "harness/compile/nvrtc_program.hpp"
#include "harness/compile/toolkit_paths.hpp"
#include "harness/cuda/device_query.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> gpu_test_kernels();
}

namespace kgen::test {
namespace {

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

}  // namespace

std::string compile_cubin(std::string_view source) {
  static const compile::NvrtcLibrary nvrtc = or_throw(compile::open_nvrtc(compile::toolkit_roots({})));
  static const std::string arch = or_throw(cuda::query_device(0)).arch;
  compile::Program program(nvrtc.functions, std::string(source), "test.cu");
  if (program.compile({"-arch=" + arch, "-default-device", "-std=c++17"}) != compile::kNvrtcSuccess) {
    throw std::runtime_error(program.log());
  }
  return program.cubin();
}

const std::string& test_cubin(const std::string& name) {
  static std::map<std::string, std::string> cubins;
  for (const util::EmbeddedFile& file : embedded::gpu_test_kernels()) {
    if (cubins.count(name) == 0 && file.name == "kernels/" + name + ".cu")
      cubins[name] = compile_cubin(file.text);
  }
  return cubins.at(name);
}

}  // namespace kgen::test
