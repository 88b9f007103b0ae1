#include "harness/cuda/open_library.hpp"

#include <dlfcn.h>

namespace kgen::cuda {
namespace fs = std::filesystem;

Result<void*> open_library(const std::vector<std::string>& names, const std::vector<fs::path>& folders) {
  for (const std::string& name : names) {
    for (const fs::path& folder : folders) {
      std::error_code error;
      if (!fs::exists(folder / name, error)) continue;
      if (void* library = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    }
  }
  for (const std::string& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  const char* const reason = dlerror();
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return fail(ErrorKind::missing,
              "none of " + text + " can be opened" + (reason != nullptr ? std::string(": ") + reason : ""),
              "install cuBLAS of the CUDA toolkit 12.8 or newer, or set CUDAToolkit_ROOT to its folder");
}

Result<void*> find_symbol(void* library, const char* name) {
  if (void* address = dlsym(library, name)) return address;
  return fail(ErrorKind::missing, std::string("the library has no ") + name,
              "install cuBLAS of the CUDA toolkit 12.8 or newer");
}

}  // namespace kgen::cuda
