#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "util/error.hpp"

namespace kgen::compile {

/// What this process may still do after enter_sandbox().
struct SandboxRules {
  std::vector<std::filesystem::path> read_only;   ///< files or folders
  std::vector<std::filesystem::path> read_write;  ///< folders
  std::size_t memory_bytes = std::size_t{8} << 30;
  std::size_t file_bytes = std::size_t{1} << 30;
};

/// How each layer took: "ok" or why it is not enforced. `kgen doctor` and the record show it.
struct SandboxReport {
  std::string file_gate;  ///< which files NVRTC can see, by kgen's own hand
  std::string landlock;   ///< which files can be opened, by the kernel's
  std::string seccomp;    ///< no new sockets, programs, processes, tracing...
  std::string rlimits;    ///< memory, file size, open files, no core dumps
  bool complete() const {
    return file_gate == "ok" && landlock == "ok" && seccomp == "ok" && rlimits == "ok";
  }
};

/// Gives up rights of this process for good, as far as this kernel can enforce it. Never fails: what could
/// not be enforced is in the report (candidates are then held back by the remaining layers and by
/// scan_source).
SandboxReport enter_sandbox(const SandboxRules& rules);

nlohmann::json to_json(const SandboxReport& report);
SandboxReport sandbox_report_from_json(const nlohmann::json& json);

}  // namespace kgen::compile
