#pragma once

#include <string>

#include "core/run_state.hpp"

/// A run in words: pure functions, the same for the terminal, the HTML report and the pull request.
namespace kgen::report {

/// The outcome in plain words: "faster than the best library, but the target is missed".
std::string outcome_sentence(core::Outcome outcome, core::DeviceKind device);

/// "12 replies, 34.5k tokens in, 6.7k out, $0.12".
std::string cost_text(const core::Ledger& ledger);

/// "openai, some-model"; a replay is called one.
std::string provider_text(const core::RunRecord& record, const core::RunState& state);

/// "6.7k tokens, $0.12": what a call gave and cost.
std::string spend_text(const core::Spend& spend);

/// The outcome as one sentence with the best candidate's figures: "The target is met: candidate 5 takes 69.3
/// us [69.0, 69.4], 2.30x [2.30, 2.31] over torch.compile, 91.8% of roofline."
std::string outcome_line(const core::RunState& state);

/// "accepted by anna: fast enough".
std::string review_words(const core::Reviewed& review);

/// What was found last of a candidate: its promotion, else its screen; null where it is not judged.
const core::EvaluationSummary* newest(const core::CandidateState& candidate);

/// "wrong_result (tail)", "correct, promotion"; of a candidate that is not judged what it waits for.
std::string verdict_words(const core::CandidateState& candidate);
/// "noisy, possibly paid"; empty: none.
std::string flag_words(const core::CandidateState& candidate);

}  // namespace kgen::report
