#include "report/run_words.hpp"

#include <cctype>

#include "report/number_text.hpp"
#include "util/terminal.hpp"

namespace kgen::report {
namespace {

using core::CandidateState;
using core::Outcome;
using Phase = CandidateState::Phase;

std::string phase_text(const CandidateState& candidate) {
  switch (candidate.phase) {
    case Phase::to_ask:
      return "to be asked again";
    case Phase::asking:
      return "asking";
    case Phase::waiting:
      return "waiting for reply.md";
    case Phase::cut:
      return "reply cut off";
    case Phase::replied:
      return "not judged yet";
    case Phase::dropped:
      return "no reply";
    case Phase::judged:
      break;
  }
  return "judged";
}

}  // namespace

const core::EvaluationSummary* newest(const CandidateState& candidate) {
  if (candidate.promotion) return &*candidate.promotion;
  return candidate.screen ? &*candidate.screen : nullptr;
}

std::string verdict_words(const CandidateState& candidate) {
  const auto* summary = newest(candidate);
  if (!summary) return phase_text(candidate);
  std::string text(core::name_of(summary->verdict));
  if (!summary->kind.empty()) text += " (" + summary->kind + ")";
  return candidate.promotion ? text + ", promotion" : text;
}

std::string flag_words(const CandidateState& candidate) {
  std::string text;
  if (const auto* summary = newest(candidate))
    for (const auto& flag : summary->flags) text += (text.empty() ? "" : ", ") + flag;
  if (candidate.possibly_paid) text += text.empty() ? "possibly paid" : ", possibly paid";
  return text;
}

std::string provider_text(const core::RunRecord& record, const core::RunState& state) {
  std::string text = state.provider.empty() ? record.provider : state.provider;
  if (!record.model.empty()) text += ", " + record.model;
  if (text.starts_with("replay")) text = "replay of a recorded transcript: no model was asked";
  return text;
}

std::string spend_text(const core::Spend& spend) {
  std::string text = count_text(spend.output_tokens) + " tokens";
  if (spend.cost_usd) text += ", $" + significant(*spend.cost_usd);
  return text;
}

std::string outcome_line(const core::RunState& state) {
  if (!state.finished) return "The search is not finished: `kgen resume` goes on.";
  std::string text = outcome_sentence(state.finished->outcome, state.device.kind);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  const CandidateState* const best = state.find(state.finished->best);
  const core::EvaluationSummary* const summary = best == nullptr ? nullptr : newest(*best);
  if (summary == nullptr) return text + ".";
  const std::string candidate = "candidate " + std::to_string(best->number);
  if (!summary->time) return text + "; the best is " + candidate + ".";
  text += (text.find(':') == std::string::npos ? ": " : "; ") + candidate;
  text += " takes " + interval_text(*summary->time);
  if (summary->speedup > 0)
    text += ", " + speedup_text(summary->speedup, summary->speedup_low, summary->speedup_high) + " over " +
            util::printable(summary->library);
  if (summary->percent_of_roofline > 0)
    text += ", " + significant(summary->percent_of_roofline) + "% of " +
            (summary->ceiling_measured ? "roofline" : "the datasheet's roofline");
  return text + ".";
}

std::string review_words(const core::Reviewed& review) {
  return (review.accepted ? "accepted by " : "rejected by ") + util::printable(review.by) +
         (review.note.empty() ? "" : ": " + util::printable(review.note));
}

std::string outcome_sentence(Outcome outcome, core::DeviceKind device) {
  switch (outcome) {
    case Outcome::target_met:
      return "the target is met";
    case Outcome::faster:
      return "faster than the best library, but the target is missed";
    case Outcome::below_target:
      return "correct, but the target is missed; not measured against a library";
    case Outcome::keep_library:
      return "no kernel beats the best library: keep the library";
    case Outcome::no_correct_kernel:
      return "no correct kernel was found";
    case Outcome::unmeasured:
      return device == core::DeviceKind::none ? "compiled; not run: there was no device"
                                              : "correct on the emulator; no time was measured";
  }
  return "";
}

std::string cost_text(const core::Ledger& ledger) {
  std::string text = std::to_string(ledger.replies) + (ledger.replies == 1 ? " reply, " : " replies, ") +
                     count_text(ledger.total.input_tokens) + " tokens in, " +
                     count_text(ledger.total.output_tokens) + " out";
  if (!ledger.usage_complete) text += " (partly estimated)";
  if (ledger.total.cost_usd) text += ", $" + significant(*ledger.total.cost_usd);
  if (!ledger.cost_complete) text += ledger.total.cost_usd ? " at least" : ", cost not known";
  if (ledger.failed_attempts > 0) text += ", " + plural(ledger.failed_attempts, "failed attempt");
  if (ledger.possibly_paid > 0)
    text += ", " + plural(ledger.possibly_paid, "call") + " possibly paid in vain";
  return text;
}

}  // namespace kgen::report
