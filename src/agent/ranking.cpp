#include "agent/ranking.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace kgen::agent {
namespace {

using core::CandidateState;
using core::EvaluationSummary;
using core::Outcome;
using core::RunState;
using core::Verdict;

/// A second candidate is promoted only where its screen beats the promoted one by more than noise.
constexpr double kClearlyFaster = 0.98;

/// Microseconds to rank by; infinite where there is no time to believe.
double rank_us(const CandidateState& candidate) {
  const EvaluationSummary* summary = standing(candidate);
  if (summary == nullptr || !summary->time || has_flag(*summary, "implausible_time"))
    return std::numeric_limits<double>::infinity();
  return summary->time->median_us;
}

Outcome measured_outcome(const RunState& state, const CandidateState& best) {
  const EvaluationSummary& promotion = *best.promotion;
  if (meets(state.search.target, promotion)) return Outcome::target_met;
  if (promotion.library.empty()) return Outcome::below_target;
  const bool believable = !has_flag(promotion, "implausible_time");
  return promotion.speedup_low > 1.0 && believable ? Outcome::faster : Outcome::keep_library;
}

}  // namespace

const EvaluationSummary* standing(const CandidateState& candidate) {
  if (candidate.promotion && (candidate.promotion->time || !candidate.screen)) return &*candidate.promotion;
  return candidate.screen ? &*candidate.screen : nullptr;
}

bool is_correct(const CandidateState& candidate) {
  if (!candidate.screen || candidate.screen->verdict != Verdict::correct) return false;
  return !candidate.promotion || candidate.promotion->verdict == Verdict::correct;
}

std::vector<const CandidateState*> ranked(const RunState& state) {
  std::vector<const CandidateState*> out;
  for (const CandidateState& candidate : state.candidates) {
    if (is_correct(candidate)) out.push_back(&candidate);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return rank_us(*a) < rank_us(*b); });
  return out;
}

const CandidateState* best_promoted(const RunState& state) {
  for (const CandidateState* candidate : ranked(state)) {
    if (candidate->promotion) return candidate;
  }
  return nullptr;
}

const CandidateState* due_for_promotion(const RunState& state) {
  const CandidateState* promoted = best_promoted(state);
  for (const CandidateState* candidate : ranked(state)) {
    if (candidate->promotion) continue;
    if (promoted == nullptr || rank_us(*candidate) < kClearlyFaster * rank_us(*promoted)) return candidate;
    return nullptr;
  }
  return nullptr;
}

const CandidateState* first_compiled(const RunState& state) {
  for (const CandidateState& candidate : state.candidates) {
    if (candidate.screen && candidate.screen->verdict == Verdict::not_run) return &candidate;
  }
  return nullptr;
}

core::Finished finish(const RunState& state, std::string reason) {
  const CandidateState* best =
      state.device.kind == core::DeviceKind::none ? first_compiled(state) : best_promoted(state);
  if (best == nullptr) return {Outcome::no_correct_kernel, 0, std::move(reason)};
  const Outcome outcome =
      state.device.kind == core::DeviceKind::cuda ? measured_outcome(state, *best) : Outcome::unmeasured;
  return {outcome, best->number, std::move(reason)};
}

}  // namespace kgen::agent
