#include "harness/compile/nvrtc_library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace kgen::compile {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLibraryNames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};
constexpr const char* kHint =
    "install the CUDA toolkit 12.8 or newer, or set CUDAToolkit_ROOT to the folder that has "
    "lib64/libnvrtc.so";

template <class F>
bool resolve(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

bool resolve_all(void* library, NvrtcFunctions& f) {
  return resolve(library, "nvrtcGetErrorString", f.get_error_string) &&
         resolve(library, "nvrtcVersion", f.version) &&
         resolve(library, "nvrtcGetNumSupportedArchs", f.get_num_supported_archs) &&
         resolve(library, "nvrtcGetSupportedArchs", f.get_supported_archs) &&
         resolve(library, "nvrtcCreateProgram", f.create_program) &&
         resolve(library, "nvrtcDestroyProgram", f.destroy_program) &&
         resolve(library, "nvrtcCompileProgram", f.compile_program) &&
         resolve(library, "nvrtcGetPTXSize", f.get_ptx_size) && resolve(library, "nvrtcGetPTX", f.get_ptx) &&
         resolve(library, "nvrtcGetCUBINSize", f.get_cubin_size) &&
         resolve(library, "nvrtcGetCUBIN", f.get_cubin) &&
         resolve(library, "nvrtcGetProgramLogSize", f.get_program_log_size) &&
         resolve(library, "nvrtcGetProgramLog", f.get_program_log) &&
         resolve(library, "nvrtcAddNameExpression", f.add_name_expression) &&
         resolve(library, "nvrtcGetLoweredName", f.get_lowered_name);
}

fs::path path_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return {};
  return map->l_name;
}

/// NVRTC opens this one by name at each compile; held open, it is found again where no file can be opened any
/// more.
void hold_builtins(const NvrtcLibrary& library) {
  const std::string name = "libnvrtc-builtins.so." + library.version_text();
  if (dlopen((library.path.parent_path() / name).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
}

/// Opens one file; on failure adds why to `tried`.
bool open_one(const fs::path& file, NvrtcLibrary& library, std::string& tried) {
  const auto reject = [&](const std::string& why) {
    tried += "; " + file.string() + ": " + why;
    return false;
  };
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return reject("cannot be opened");
  if (!resolve_all(handle, library.functions)) return reject("lacks functions of NVRTC 12.8");
  library.functions.version(&library.major, &library.minor);
  if (library.major * 100 + library.minor < 1208) return reject("is version " + library.version_text());
  library.path = path_of(handle);
  hold_builtins(library);
  return true;
}

}  // namespace

std::vector<int> NvrtcLibrary::supported_archs() const {
  int count = 0;
  if (functions.get_num_supported_archs(&count) != kNvrtcSuccess || count <= 0) return {};
  std::vector<int> archs(static_cast<std::size_t>(count));
  if (functions.get_supported_archs(archs.data()) != kNvrtcSuccess) return {};
  return archs;
}

Result<NvrtcLibrary> open_nvrtc(const std::vector<fs::path>& roots) {
  NvrtcLibrary library;
  std::string tried;
  for (const fs::path& root : roots) {
    for (const fs::path& folder : library_folders(root)) {
      for (const char* name : kLibraryNames) {
        std::error_code error;
        if (fs::exists(folder / name, error) && open_one(folder / name, library, tried)) return library;
      }
    }
  }
  for (const char* name : kLibraryNames) {
    if (open_one(name, library, tried)) return library;
  }
  return fail(ErrorKind::missing, "NVRTC 12.8 or newer not found below " + list_of_paths(roots) + tried,
              kHint);
}

}  // namespace kgen::compile
