#pragma once

#include <string>

#include "harness/compile/sandbox.hpp"

/// The layers of enter_sandbox(). Each gives "ok" or says why it is not enforced.
namespace kgen::compile {

/// Landlock (Linux 5.13 and newer, Documentation/userspace-api/landlock.rst): opening files, and on newer
/// kernels TCP, signals and abstract sockets.
std::string restrict_files(const SandboxRules& rules);

/// A seccomp filter that refuses new sockets, programs, processes, tracing, mounts, and raising resource
/// limits.
std::string restrict_system_calls();

std::string restrict_resources(const SandboxRules& rules);

}  // namespace kgen::compile
