#pragma once

#include "core/proof.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// Tries an op's oracle in one dtype, shape by shape and distribution by distribution, each twice over other
/// leftovers: does it run, write every element, give the same twice, agree with the CPU reference where one
/// is linked in; and does the op's tolerance let the exact result pass and reject results that are plainly
/// wrong. What the specification gets wrong is a finding; errors are failures of the world. The first fault
/// of the oracle itself ends the proof: the rest would be its consequences.
Result<core::ProofReply> prove(const Workplace& workplace, const core::ProofRequest& request,
                               const StageEvent& on_stage);

}  // namespace kgen::judge
