#include "harness/compile/sandbox.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cerrno>

#include "harness/compile/file_gate.hpp"
#include "harness/compile/sandbox_layers.hpp"
#include "util/file_descriptor.hpp"
#include "util/json.hpp"

namespace kgen::compile {
namespace {

/// Sets soft and hard limit, never above the hard one there is.
bool limit(__rlimit_resource resource, rlim_t value) {
  rlimit current{};
  if (getrlimit(resource, &current) != 0) return false;
  if (current.rlim_max != RLIM_INFINITY && current.rlim_max < value) value = current.rlim_max;
  const rlimit wanted{value, value};
  return setrlimit(resource, &wanted) == 0;
}

}  // namespace

std::string restrict_resources(const SandboxRules& rules, std::chrono::seconds cpu_time) {
  constexpr rlim_t kStackBytes = rlim_t{64} << 20;  // NVRTC recurses deeply on nested templates
  std::string missing;
  const auto note = [&](bool ok, const char* name) {
    if (!ok) missing += std::string(missing.empty() ? "" : ", ") + name;
  };
#if defined(__SANITIZE_ADDRESS__)
  note(false, "memory (AddressSanitizer reserves terabytes)");
#else
  note(limit(RLIMIT_AS, rules.memory_bytes), "memory");
#endif
  note(limit(RLIMIT_FSIZE, rules.file_bytes), "file size");
  note(limit(RLIMIT_NOFILE, 256), "open files");
  note(limit(RLIMIT_CORE, 0), "core dumps");
  note(limit(RLIMIT_CPU, static_cast<rlim_t>(cpu_time.count())), "CPU time");
  note(limit(RLIMIT_STACK, kStackBytes), "stack");
  return missing.empty() ? "ok" : "not limited: " + missing;
}

SandboxReport enter_sandbox(const SandboxRules& rules) {
  SandboxReport report;
  report.rlimits = restrict_resources(rules);
  report.file_gate = close_file_gate(rules);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    report.landlock = report.seccomp = "no_new_privs was refused: " + util::system_reason(errno);
    return report;
  }
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  report.landlock = restrict_files(rules);
  report.seccomp = restrict_system_calls();
  return report;
}

nlohmann::json to_json(const SandboxReport& report) {
  return {{"file_gate", report.file_gate},
          {"landlock", report.landlock},
          {"seccomp", report.seccomp},
          {"rlimits", report.rlimits}};
}

SandboxReport sandbox_report_from_json(const nlohmann::json& json) {
  return {json.value("file_gate", "not reported"), json.value("landlock", "not reported"),
          json.value("seccomp", "not reported"), json.value("rlimits", "not reported")};
}

}  // namespace kgen::compile
