#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/compile/toolkit_paths.hpp"
#include "util/error.hpp"

namespace kgen::compile {

/// NVRTC's handle and return code, declared here so that no CUDA header is needed to build.
using NvrtcProgram = struct NvrtcProgramTag*;
using NvrtcCode = int;
inline constexpr NvrtcCode kNvrtcSuccess = 0;
inline constexpr NvrtcCode kNvrtcOutOfMemory = 1;
inline constexpr NvrtcCode kNvrtcCompilation = 6;
inline constexpr NvrtcCode kNvrtcInternalError = 11;

/// The functions of libnvrtc that kgen calls (nvrtc.h of CUDA 12.8 and 13).
struct NvrtcFunctions {
  const char* (*get_error_string)(NvrtcCode) = nullptr;
  NvrtcCode (*version)(int* major, int* minor) = nullptr;
  NvrtcCode (*get_num_supported_archs)(int*) = nullptr;
  NvrtcCode (*get_supported_archs)(int*) = nullptr;
  NvrtcCode (*create_program)(NvrtcProgram*, const char* source, const char* name, int num_headers,
                              const char* const* headers, const char* const* include_names) = nullptr;
  NvrtcCode (*destroy_program)(NvrtcProgram*) = nullptr;
  NvrtcCode (*compile_program)(NvrtcProgram, int num_options, const char* const* options) = nullptr;
  NvrtcCode (*get_ptx_size)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcCode (*get_ptx)(NvrtcProgram, char*) = nullptr;
  NvrtcCode (*get_cubin_size)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcCode (*get_cubin)(NvrtcProgram, char*) = nullptr;
  NvrtcCode (*get_program_log_size)(NvrtcProgram, std::size_t*) = nullptr;
  NvrtcCode (*get_program_log)(NvrtcProgram, char*) = nullptr;
  NvrtcCode (*add_name_expression)(NvrtcProgram, const char*) = nullptr;
  NvrtcCode (*get_lowered_name)(NvrtcProgram, const char*, const char**) = nullptr;
};

/// NVRTC opened at run time. It stays open to the process's end.
struct NvrtcLibrary {
  NvrtcFunctions functions;
  std::filesystem::path path;  ///< of the shared library
  int major = 0, minor = 0;

  /// "13.0"
  std::string version_text() const { return std::to_string(major) + "." + std::to_string(minor); }
  /// Compute capabilities it compiles for, such as 75, 80, 90.
  std::vector<int> supported_archs() const;
};

/// Opens libnvrtc.so.13 or .12 of the first root that has it, else by the loader's path. 12.8 is the oldest
/// accepted (precompiled headers). Errors: missing, naming every place tried and what was wrong there.
Result<NvrtcLibrary> open_nvrtc(const std::vector<std::filesystem::path>& roots);

}  // namespace kgen::compile
