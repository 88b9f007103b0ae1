#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/compile/sandbox.hpp"

/// The layers of enter_sandbox(). Each gives "ok" or says why it is not enforced.
namespace kgen::compile {

/// Landlock (Linux 5.13 and newer, Documentation/userspace-api/landlock.rst): opening files, and on newer
/// kernels TCP, signals and abstract sockets. `programs`: files that may be executed, for a process that is
/// to become another program; none otherwise.
std::string restrict_files(const SandboxRules& rules,
                           const std::vector<std::filesystem::path>& programs = {});

/// A seccomp filter that refuses new sockets, programs, processes, tracing, mounts, and raising resource
/// limits. `may_become_another`: this process may call execve, which Landlock then holds to its programs; it
/// can still start no process beside itself.
std::string restrict_system_calls(bool may_become_another = false);

/// Memory, file size, open files, stack, no core dumps, and the CPU time of the whole process.
std::string restrict_resources(const SandboxRules& rules,
                               std::chrono::seconds cpu_time = std::chrono::hours(4));

}  // namespace kgen::compile
