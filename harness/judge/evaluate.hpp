#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Judges one candidate: plan, shapes, compile, policy, arguments, checks, timing, each a stage reported as
/// it ends. A bad kernel is an Evaluation; Errors are failures of the world only.
Result<core::Evaluation> evaluate(const Workplace& workplace, const core::EvaluateRequest& request,
                                  const StageEvent& on_stage);

}  // namespace kgen::judge
