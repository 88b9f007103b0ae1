#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "util/error.hpp"

namespace kgen::compile {

/// Where CUDA toolkits may be on this machine.
struct ToolkitSearch {
  /// Looked at first: a toolkit's folder, or a pip-style one (nvidia/cu13, nvidia/cuda_nvrtc,
  /// nvidia/cuda_runtime).
  std::vector<std::filesystem::path> extra_roots;
  /// Also CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH and /usr/local/cuda*, /opt/cuda. Tests turn it off.
  bool usual_places = true;
};

/// Folders to look for a toolkit in, best first, without those that do not exist; each once.
std::vector<std::filesystem::path> toolkit_roots(const ToolkitSearch& search);

/// Folders that may hold shared libraries below `root` (lib64, lib, targets/x86_64-linux/lib); existing ones
/// only.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& root);

/// The include folders of the first root that has the CUDA headers (cuda_fp16.h and cuda/std/cstdint): one or
/// two folders (include, include/cccl). Errors: missing, saying where it looked.
Result<std::vector<std::filesystem::path>> find_include_folders(
    const std::vector<std::filesystem::path>& roots);

/// "a, b, c" for messages; "nowhere" for none.
std::string list_of_paths(const std::vector<std::filesystem::path>& paths);

}  // namespace kgen::compile
