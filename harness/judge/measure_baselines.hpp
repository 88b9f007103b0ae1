#pragma once

#include "core/protocol.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// Times the op's baselines for a task before there is any candidate, and leaves them warm. Without a device
/// each says why it is missing.
Result<core::BaselineReply> measure_baselines(const Workplace& workplace,
                                              const core::BaselineRequest& request,
                                              const StageEvent& on_stage);

}  // namespace kgen::judge
