#include "harness/compile/disassemble_main.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "harness/compile/sandbox_layers.hpp"
#include "util/file_descriptor.hpp"

namespace kgen::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kCpuTime{20};

/// What a program is started by and reads on its way: the dynamic loader is a program to the kernel.
constexpr const char* kLoaders[] = {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"};
constexpr const char* kLibraries[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"};

/// Gives up what the tool does not need. Gives why that was refused, or nothing.
std::string enter_tool_sandbox(const fs::path& tool) {
  SandboxRules rules;
  rules.memory_bytes = std::size_t{4} << 30;
  rules.file_bytes = std::size_t{64} << 20;
  rules.read_only.assign(std::begin(kLibraries), std::end(kLibraries));
  rules.read_write = {fs::current_path()};
  std::vector<fs::path> programs = {tool};
  programs.insert(programs.end(), std::begin(kLoaders), std::end(kLoaders));
  (void)restrict_resources(rules, kCpuTime);  // memory is not limited under AddressSanitizer
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return "no_new_privs was refused: " + util::system_reason(errno);
  if (const std::string files = restrict_files(rules, programs); files != "ok") return "landlock: " + files;
  const std::string calls = restrict_system_calls(true);
  return calls == "ok" ? "" : "seccomp: " + calls;
}

}  // namespace

int disassemble_main() {
  const char* const named = std::getenv(kToolVariable);
  std::error_code error;
  const fs::path tool = named == nullptr ? fs::path() : fs::canonical(named, error);
  if (tool.empty() || error) {
    std::fprintf(stderr, "there is no tool that %s names\n", kToolVariable);
    return 2;
  }
  if (const std::string why = enter_tool_sandbox(tool); !why.empty()) {
    std::fprintf(stderr, "strangers' code is not read without a sandbox; %s\n", why.c_str());
    return 5;
  }
  setenv("TMPDIR", ".", 1);
  execl(tool.c_str(), "nvdisasm", "--print-code", kCodeFile, static_cast<char*>(nullptr));
  std::fprintf(stderr, "%s does not start: %s\n", tool.c_str(), util::system_reason(errno).c_str());
  return 5;
}

}  // namespace kgen::compile
