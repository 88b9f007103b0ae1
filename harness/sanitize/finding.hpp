#pragma once

#include <string>
#include <string_view>

#include "core/evaluation.hpp"
#include "harness/sanitize/run_tools.hpp"
#include "harness/sanitize/sanitizer_log.hpp"

namespace kgen::sanitize {

/// What one tool's run says of a candidate.
struct Finding {
  core::Check::State state = core::Check::State::skipped;
  core::Verdict verdict = core::Verdict::correct;  ///< where it failed
  std::string kind;
  std::string text;  ///< what was found and where, or why the tool could not run
  bool unchecked =
      false;  ///< it reports something that it cannot judge: asks for the flag async_barrier_unchecked
};

/// `source`: the candidate file, for the text of its lines. `async_barriers`: the PTX uses mbarrier, bulk
/// copies or wgmma, which racecheck and synccheck do not follow reliably. memcheck: out_of_bounds, or fault
/// (misaligned and the rest); initcheck: uninitialised_read; racecheck: race, warnings too (the manual: since
/// Volta they must be fixed); synccheck: bad_sync.
Finding judge_run(const ToolRun& run, std::string_view source, bool async_barriers);

/// Whether a program's PTX uses barriers that a thread does not wait at.
bool uses_async_barriers(std::string_view ptx);

}  // namespace kgen::sanitize
