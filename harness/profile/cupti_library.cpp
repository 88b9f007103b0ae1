#include "harness/profile/cupti_library.hpp"

#include <dlfcn.h>

#include <cstdio>

#include "harness/compile/toolkit_paths.hpp"
#include "harness/cuda/open_library.hpp"

namespace kgen::profile {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstall =
    "install CUPTI of the CUDA toolkit 12.8 or newer (package cuda-cupti), or set CUDAToolkit_ROOT to its "
    "folder";

const std::vector<std::string>& cupti_names() {
  static const std::vector<std::string> names = {"libcupti.so.13", "libcupti.so.12"};
  return names;
}

/// The file that an address was loaded from.
fs::path file_of(void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

/// CUPTI opens these by name alone; a library that is loaded already is found by its name.
void open_parts(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (!fs::exists(folder / "libnvperf_host.so", error)) continue;
    (void)::dlopen((folder / "libnvperf_host.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
    (void)::dlopen((folder / "libnvperf_target.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
    return;
  }
}

}  // namespace

std::string install_advice() {
  return kInstall;
}

std::vector<fs::path> cupti_folders() {
  std::vector<fs::path> out;
  for (const fs::path& root : compile::toolkit_roots({})) {
    for (const char* name : {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib"}) {
      std::error_code error;
      for (const std::string& library : cupti_names()) {
        if (fs::exists(root / name / library, error)) {
          out.push_back(root / name);
          break;
        }
      }
    }
  }
  return out;
}

Result<Cupti> Cupti::open(const std::vector<fs::path>& folders) {
  open_parts(folders);
  const auto library = cuda::open_library(cupti_names(), folders);
  if (!library) return fail(ErrorKind::missing, library.error().message, kInstall);
  Cupti out;
#define KGEN_CUPTI_FIND(name)                                                         \
  {                                                                                   \
    const auto address = cuda::find_symbol(*library, #name);                          \
    if (!address) return fail(ErrorKind::missing, address.error().message, kInstall); \
    out.table_.name = reinterpret_cast<decltype(out.table_.name)>(*address);          \
  }
  KGEN_CUPTI_FUNCTIONS(KGEN_CUPTI_FIND)
#undef KGEN_CUPTI_FIND
  out.path_ = file_of(reinterpret_cast<void*>(out.table_.cuptiGetVersion));
  return out;
}

std::string Cupti::description() const {
  std::uint32_t version = 0;
  (void)table_.cuptiGetVersion(&version);
  return "API " + std::to_string(version) + " of " + path_.string();
}

Status Cupti::note(CUptiResult code, const char* name, double ms) {
  char line[160];
  std::snprintf(line, sizeof line, "%s: %d in %.2f ms", name, static_cast<int>(code), ms);
  diary_.emplace_back(line);
  if (code == CUPTI_SUCCESS) return {};
  const CodeText text = explain_code(static_cast<int>(code));
  return fail(ErrorKind::missing,
              std::string(name) + ": " + text.name + (text.meaning.empty() ? "" : " (" + text.meaning + ")"),
              text.advice);
}

}  // namespace kgen::profile
