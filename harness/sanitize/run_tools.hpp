#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/sanitize/sanitize_job.hpp"

namespace kgen::sanitize {

/// One tool's run over a job.
struct ToolRun {
  std::string tool;  ///< memcheck, initcheck, racecheck, synccheck
  std::string log;   ///< as the tool wrote it
  std::size_t cases = 0, cases_done = 0;
  std::string shapes;  ///< titles of the cases
  std::string why;     ///< why it could not run or come to its end, where the log does not say
};

/// Runs all four tools over a job. What a test puts in its place.
using RunTools = std::function<std::vector<ToolRun>(const Job&)>;

inline constexpr const char* kTools[] = {"memcheck", "initcheck", "racecheck", "synccheck"};

/// How the tools are run.
struct ToolSetup {
  std::string sanitizer;                   ///< path of compute-sanitizer
  std::string worker;                      ///< path of kgen-worker
  std::chrono::milliseconds limit{12000};  ///< of each tool beside the others
  /// Of those that reach no end within it, which run once more, alone: together.
  std::chrono::milliseconds patience{48000};
};

/// compute-sanitizer in $PATH or a toolkit; empty: none.
std::string find_sanitizer();

/// The command of one tool. `log`: where it writes.
std::vector<std::string> tool_command(const ToolSetup& setup, const std::string& tool,
                                      const std::string& log);

/// One process of compute-sanitizer a tool, all at once, over one copy of the job in a temporary folder; a
/// tool that reaches no end runs once more, alone and for longer, as a kernel must not pass because the
/// machine was busy. Nothing here is an error: a tool that cannot run says why.
std::vector<ToolRun> run_tools(const ToolSetup& setup, const Job& job);

}  // namespace kgen::sanitize
