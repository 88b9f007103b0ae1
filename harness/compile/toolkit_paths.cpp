#include "harness/compile/toolkit_paths.hpp"

#include <algorithm>
#include <cstdlib>

namespace kgen::compile {
namespace fs = std::filesystem;
namespace {

constexpr const char* kRootVariables[] = {"CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH"};
constexpr const char* kMissingHint =
    "install the CUDA toolkit 12.8 or newer (with NVRTC), or set CUDAToolkit_ROOT to its folder";

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// /usr/local/cuda-13.0, /usr/local/cuda-12.8...: the newest first.
std::vector<fs::path> versioned_toolkits() {
  std::vector<std::pair<double, fs::path>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/local", error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("cuda-")) found.emplace_back(std::strtod(name.c_str() + 5, nullptr), entry.path());
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<fs::path> paths;
  for (auto& [version, path] : found) paths.push_back(std::move(path));
  return paths;
}

std::vector<fs::path> usual_places() {
  std::vector<fs::path> places;
  for (const char* variable : kRootVariables) {
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      places.emplace_back(value);
  }
  places.emplace_back("/usr/local/cuda");
  for (fs::path& path : versioned_toolkits()) places.push_back(std::move(path));
  places.emplace_back("/opt/cuda");
  return places;
}

}  // namespace

std::vector<fs::path> toolkit_roots(const ToolkitSearch& search) {
  std::vector<fs::path> candidates = search.extra_roots;
  if (search.usual_places) {
    for (fs::path& path : usual_places()) candidates.push_back(std::move(path));
  }
  std::vector<fs::path> roots;
  for (const fs::path& path : candidates) {
    std::error_code error;
    fs::path real = fs::canonical(path, error);
    if (error || std::find(roots.begin(), roots.end(), real) != roots.end()) continue;
    roots.push_back(std::move(real));
  }
  return roots;
}

std::vector<fs::path> library_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const char* name : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
    if (is_there(root / name)) folders.push_back(root / name);
  }
  return folders;
}

Result<std::vector<fs::path>> find_include_folders(const std::vector<fs::path>& roots) {
  for (const fs::path& root : roots) {
    for (const fs::path& include : {root / "include", root / "targets/x86_64-linux/include"}) {
      if (!is_there(include / "cuda_fp16.h")) continue;
      if (is_there(include / "cccl/cuda/std/cstdint"))
        return std::vector<fs::path>{include, include / "cccl"};
      if (is_there(include / "cuda/std/cstdint")) return std::vector<fs::path>{include};
    }
  }
  return fail(ErrorKind::missing, "no CUDA headers (include/cuda_fp16.h) below " + list_of_paths(roots),
              kMissingHint);
}

std::string list_of_paths(const std::vector<fs::path>& paths) {
  std::string text;
  for (const fs::path& path : paths) text += (text.empty() ? "" : ", ") + path.string();
  return text.empty() ? "nowhere" : text;
}

}  // namespace kgen::compile
