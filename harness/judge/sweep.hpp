#pragma once

#include "core/sweep.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// Tries the variants of a candidate in their order: compiles them in batches, verifies each at the task's
/// own shape on the same inputs, and times those that are right, one after the other by the same method; one
/// that is slower than the fastest beyond doubt is stopped after a round. On the emulator nothing is timed,
/// without a device nothing is run. A bad variant is a verdict; Errors are failures of the world only.
Result<core::SweepReply> sweep(const Workplace& workplace, const core::SweepRequest& request,
                               const StageEvent& on_stage);

}  // namespace kgen::judge
