#include "harness/judge/tools.hpp"

#include <filesystem>

#include "harness/compile/disassembler.hpp"
#include "harness/compile/toolkit_paths.hpp"
#include "harness/cuda/driver.hpp"
#include "harness/sanitize/run_tools.hpp"
#include "util/file.hpp"
#include "util/subprocess.hpp"

namespace kgen::judge {
namespace {

namespace fs = std::filesystem;
using core::ToolReport;

/// First file below a toolkit whose path is one of `places`.
std::string find_in_toolkits(const std::vector<std::string>& places) {
  for (const auto& root : compile::toolkit_roots({})) {
    for (const auto& place : places) {
      std::error_code error;
      if (fs::exists(root / place, error)) return (root / place).string();
    }
  }
  return {};
}

}  // namespace

ToolReport driver_report() {
  if (const auto loaded = cuda::load_driver(); !loaded) {
    return {"driver", false, loaded.error().message,
            loaded.error().hint.empty() ? "install the NVIDIA driver, or use --device none"
                                        : loaded.error().hint};
  }
  int version = 0;
  if (cuda::driver().cuDriverGetVersion(&version) != CUDA_SUCCESS) return {"driver", false, "no version", ""};
  return {"driver", true,
          "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10), ""};
}

ToolReport torch_report(const std::string& python) {
  if (python == "none") return {"torch", false, "switched off", "pass --python to time torch baselines"};
  util::SpawnOptions options;
  options.argv = {python, "-c", "import importlib.metadata as m; print(m.version('torch'))"};
  const auto output = util::run_command(options, "", std::chrono::milliseconds{10'000});
  if (!output)
    return {"torch", false, output.error().message, "install python3 with torch, or name one with --python"};
  if (!output->status.ok()) {
    return {"torch", false, python + " has no torch",
            "install torch there, or name an interpreter with --python"};
  }
  return {"torch", true, output->out.substr(0, output->out.find('\n')) + " (" + python + ")", ""};
}

ToolReport sanitizer_report() {
  const std::string path = sanitize::find_sanitizer();
  if (path.empty()) {
    return {"compute-sanitizer", false, "not found",
            "install it with the CUDA toolkit (package cuda-sanitizer)"};
  }
  return {"compute-sanitizer", true, path, ""};
}

ToolReport disassembler_report() {
  const std::string path = compile::find_disassembler();
  if (path.empty()) {
    return {"nvdisasm", false, "not found: profiles have no machine instructions",
            "install it with the CUDA toolkit (package cuda-nvdisasm)"};
  }
  return {"nvdisasm", true, path, ""};
}

ToolReport cupti_report() {
  const std::string path = find_in_toolkits(
      {"lib64/libcupti.so", "extras/CUPTI/lib64/libcupti.so", "lib64/libcupti.so.13", "lib64/libcupti.so.12",
       "targets/x86_64-linux/lib/libcupti.so", "lib/libcupti.so.13", "lib/libcupti.so.12"});
  if (path.empty())
    return {"CUPTI", false, "not found", "install it with the CUDA toolkit (package cuda-cupti)"};
  return {"CUPTI", true, path, ""};
}

ToolReport profiler_report(const std::string& params) {
  const auto text = util::read_file(params);
  if (!text) return {"profiler permission", false, "no NVIDIA kernel driver", ""};
  if (text->find("RmProfilingAdminOnly: 1") == std::string::npos) {
    return {"profiler permission", true, "counters are open to everybody", ""};
  }
  return {"profiler permission", false, "counters are for administrators only",
          "set the driver option NVreg_RestrictProfilingToAdminUsers=0"};
}

}  // namespace kgen::judge
