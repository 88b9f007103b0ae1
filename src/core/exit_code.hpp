#pragma once

#include "util/error.hpp"

namespace kgen::core {

/// Exit codes of every command (design: Commands).
enum class ExitCode {
  ok = 0,  ///< target met; on the emulator a promoted correct kernel; with --device none: compiled
  internal = 1,
  usage = 2,          ///< usage or bad input
  not_met = 3,        ///< finished; no kernel met the target, or a check failed
  provider = 4,       ///< model provider failed
  missing = 5,        ///< a needed tool, device, directory or disk space is missing
  waiting = 75,       ///< waiting for a reply
  interrupted = 130,  ///< resumable
};

ExitCode exit_code_for(ErrorKind kind);

}  // namespace kgen::core
