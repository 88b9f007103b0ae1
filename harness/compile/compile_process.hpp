#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/compile/compile_request.hpp"
#include "harness/compile/sandbox.hpp"
#include "harness/compile/toolkit_paths.hpp"
#include "util/subprocess.hpp"

namespace kgen::compile {

/// How compile processes are started.
struct CompileProcessOptions {
  std::vector<std::string>
      command;  ///< such as {"/usr/bin/kgen-worker", "compile"}; it is given descriptor 3
  ToolkitSearch toolkit;
  std::size_t memory_bytes = std::size_t{8} << 30;
  std::chrono::milliseconds start_limit{60'000};
};

/// What a compile process said of itself.
struct CompilerFacts {
  std::string nvrtc_version;  ///< "13.0"
  std::string nvrtc_library;
  SandboxReport sandbox;
};

/// One sandboxed compile process and the channel to it.
class CompileProcess {
 public:
  /// Starts it with a scratch folder of its own (emptied first) and waits until it is ready. Errors: missing
  /// (no NVRTC). `cancelled` is asked every 100 ms.
  static Result<CompileProcess> start(const CompileProcessOptions& options,
                                      const std::filesystem::path& scratch,
                                      const std::function<bool()>& cancelled);

  /// One compile. Where the process ends or takes longer than `limit`, the result says so and `usable()` is
  /// false.
  CompileResult compile(const std::string& request_line, std::chrono::milliseconds limit,
                        const std::function<bool()>& cancelled);

  bool usable() const { return usable_; }
  const CompilerFacts& facts() const { return facts_; }

 private:
  CompileProcess(util::Process process, util::LineChannel channel)
      : process_(std::move(process)), channel_(std::move(channel)) {}
  CompileResult ended(std::chrono::milliseconds limit, util::LineChannel::ReadStatus status);

  util::Process process_;
  util::LineChannel channel_;
  CompilerFacts facts_;
  bool usable_ = true;
};

}  // namespace kgen::compile
