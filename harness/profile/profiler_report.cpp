#include "harness/profile/profiler_report.hpp"

#include <unistd.h>

#include "harness/profile/cupti_library.hpp"
#include "util/file.hpp"

namespace kgen::profile {

core::ToolReport profiler_report(const std::string& library, const std::string& params, bool admin) {
  core::ToolReport out{"CUPTI", !library.empty(), library, {}};
  if (!out.ok) {
    out.text = "not found: kernels are not profiled";
    out.advice = install_advice();
  } else if (params.find("RmProfilingAdminOnly: 1") != std::string::npos && !admin) {
    out.ok = false;
    out.text += "; the driver lets only administrators count";
    out.advice = explain_code(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES).advice;
  }
  return out;
}

core::ToolReport profiler_report() {
  const auto folders = cupti_folders();
  const auto params = util::read_file("/proc/driver/nvidia/params");
  return profiler_report(folders.empty() ? "" : folders.front().string(), params ? *params : "",
                         ::geteuid() == 0);
}

}  // namespace kgen::profile
