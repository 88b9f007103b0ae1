#pragma once

#include <string>
#include <vector>

#include "core/run_state.hpp"

namespace kgen::agent {

/// Whether the candidate is correct as far as it was judged: the screen says so, and no promotion says
/// otherwise.
bool is_correct(const core::CandidateState& candidate);
/// Its newest evaluation that timed it, promotion before screen; else the newest. Null where there is none.
const core::EvaluationSummary* standing(const core::CandidateState& candidate);
/// Correct candidates, the fastest first; those with an implausible time or none come last, in order of
/// number.
std::vector<const core::CandidateState*> ranked(const core::RunState& state);
/// The candidate to promote before anything can be called best; null where the best is promoted, or there is
/// none.
const core::CandidateState* due_for_promotion(const core::RunState& state);
/// The fastest candidate that was promoted; null where there is none.
const core::CandidateState* best_promoted(const core::RunState& state);
/// With no device: the first candidate that compiles.
const core::CandidateState* first_compiled(const core::RunState& state);

/// How the run ends as it stands, and which candidate is its result.
core::Finished finish(const core::RunState& state, std::string reason);

}  // namespace kgen::agent
