#pragma once

#include <cuda.h>

#include <string_view>

#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// When the driver returned an error: what a code means depends on it.
enum class Phase { load, launch, execution, world };

/// The one table from the driver's error codes to failures. `what` is the kernel or the call, for the
/// message.
RunFailure failure_of(CUresult code, Phase phase, std::string_view what, int step = -1);

/// The same for a call as a RunResult.
RunResult<void> check_run(CUresult code, Phase phase, std::string_view what, int step = -1);

/// The same for a call of our own around the candidate (Phase::world).
RunResult<void> check_world(CUresult code, std::string_view what);

}  // namespace kgen::run
