#pragma once

#include <string>
#include <string_view>

#include "core/evaluation.hpp"
#include "harness/sanitize/async_barriers.hpp"
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

/// `source`: the candidate file, for the text of its lines. Of kernels that use asynchronous barriers
/// racecheck and synccheck report what they may misjudge. memcheck: out_of_bounds, or fault (misaligned and
/// the rest); initcheck: uninitialised_read; racecheck: race, warnings too (the manual: since Volta they must
/// be fixed); synccheck: bad_sync.
Finding judge_run(const ToolRun& run, std::string_view source, const LaunchedKernels& kernels);

}  // namespace kgen::sanitize
