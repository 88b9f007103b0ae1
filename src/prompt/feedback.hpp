#pragma once

#include <string>
#include <vector>

#include "core/run_state.hpp"

namespace kgen::prompt {

/// What the judge found, for the model that wrote the candidate: evidence first, at most a few kilobytes.
/// Text that comes from the candidate itself (compiler messages quote it) is indented, so that it can pose as
/// nothing else. `source`: the candidate's, of which lines are quoted.
std::string feedback_text(const core::Evaluation& evaluation, const std::vector<std::string>& dim_order = {},
                          const std::string& source = {});
/// One row a candidate: what it was, how it ended.
std::string tried_table(const std::vector<core::CandidateState>& tried);
/// "wrong_result (misaligned)".
std::string verdict_text(core::Verdict verdict, const std::string& kind);

}  // namespace kgen::prompt
