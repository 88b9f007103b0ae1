#include "compile_cubin.hpp"

#include <stdexcept>

#include "harness/compile/nvrtc_library.hpp"
#include "harness/compile/nvrtc_program.hpp"
#include "harness/compile/toolkit_paths.hpp"
#include "harness/cuda/device_query.hpp"

namespace kgen::test {
namespace {

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

}  // namespace

std::string compile_cubin(std::string_view source, const std::string& file,
                          const std::vector<std::string>& more) {
  static const auto roots = compile::toolkit_roots({});
  static const compile::NvrtcLibrary nvrtc = or_throw(compile::open_nvrtc(roots));
  static const std::string arch = or_throw(cuda::query_device(0)).arch;
  std::vector<std::string> options = {"-arch=" + arch, "-default-device", "-std=c++17"};
  for (const auto& folder : or_throw(compile::find_include_folders(roots)))
    options.push_back("-I" + folder.string());
  options.insert(options.end(), more.begin(), more.end());
  compile::Program program(nvrtc.functions, std::string(source), file);
  if (program.compile(options) != compile::kNvrtcSuccess) {
    throw std::runtime_error(program.log());
  }
  return program.cubin();
}

}  // namespace kgen::test
