#include "harness/cuda/driver.hpp"

#include <dlfcn.h>

#include <string_view>

namespace kgen::cuda {
namespace {

#define KGEN_TEXT_OF(name) #name
#define KGEN_SYMBOL_OF(name) KGEN_TEXT_OF(name)

DriverTable g_driver;

/// Fills `table`; the first symbol that is missing, or null.
const char* find_symbols(void* library, DriverTable& table) {
#define KGEN_CUDA_FIND(name)                                                                 \
  table.name = reinterpret_cast<decltype(table.name)>(dlsym(library, KGEN_SYMBOL_OF(name))); \
  if (table.name == nullptr) return KGEN_SYMBOL_OF(name);
  KGEN_CUDA_FUNCTIONS(KGEN_CUDA_FIND)
#undef KGEN_CUDA_FIND
  return nullptr;
}

Status find_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return fail(
        ErrorKind::missing,
        std::string("no CUDA driver: ") + (reason != nullptr ? reason : "libcuda.so.1 cannot be opened"),
        "install the NVIDIA driver, or use --device emulator");
  }
  DriverTable table;
  if (const char* symbol = find_symbols(library, table)) {
    return fail(ErrorKind::missing, std::string("the CUDA driver is too old: it has no ") + symbol,
                "install driver 570 or newer (CUDA 12.8)");
  }
  const CUresult code = table.cuInit(0);
  g_driver = table;
  if (code != CUDA_SUCCESS) {
    return fail(ErrorKind::missing,
                "the CUDA driver does not start: " + error_name(code) + " (" + error_text(code) + ")",
                "see whether nvidia-smi lists a device");
  }
  return {};
}

/// "harness/run/x.cpp:12" of a path with any prefix.
std::string place_of(std::string_view file, int line) {
  const auto root = file.rfind("harness/");
  if (root != std::string_view::npos) file.remove_prefix(root);
  return std::string(file) + ":" + std::to_string(line);
}

}  // namespace

Status load_driver() {
  static const Status status = find_driver();
  return status;
}

const DriverTable& driver() {
  return g_driver;
}

std::string error_name(CUresult code) {
  const char* name = nullptr;
  if (g_driver.cuGetErrorName != nullptr) g_driver.cuGetErrorName(code, &name);
  return name != nullptr ? name : "CUDA error " + std::to_string(static_cast<int>(code));
}

std::string error_text(CUresult code) {
  const char* text = nullptr;
  if (g_driver.cuGetErrorString != nullptr) g_driver.cuGetErrorString(code, &text);
  return text != nullptr ? text : "the driver has no text for it";
}

Status check(CUresult code, const char* call, const char* file, int line) {
  if (code == CUDA_SUCCESS) return {};
  const ErrorKind kind = code == CUDA_ERROR_OUT_OF_MEMORY || code == CUDA_ERROR_NO_DEVICE
                             ? ErrorKind::missing
                             : ErrorKind::internal;
  return fail(kind, std::string(call) + " at " + place_of(file, line) + ": " + error_name(code) + " (" +
                        error_text(code) + ")");
}

}  // namespace kgen::cuda
