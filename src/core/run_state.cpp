#include "core/run_state.hpp"

#include <algorithm>
#include <utility>

namespace kgen::core {
namespace {

using Phase = CandidateState::Phase;

void add(Spend& total, const Spend& spend) {
  total.input_tokens += spend.input_tokens;
  total.cached_input_tokens += spend.cached_input_tokens;
  total.output_tokens += spend.output_tokens;
  if (spend.cost_usd) total.cost_usd = total.cost_usd.value_or(0) + *spend.cost_usd;
}

/// Applies one event to the state; a candidate that does not exist is left alone.
struct Apply {
  RunState& state;
  const std::string& at;

  void operator()(const RunStarted&) { state.sessions = 1; }
  void operator()(const Interrupted&) {}

  void operator()(const Resumed& e) {
    ++state.sessions;
    state.search = e.search;
    state.provider = e.provider;
    state.finished.reset();
    if (state.review) state.waiting_review = std::exchange(state.review, std::nullopt);
    state.replies_exhausted = false;
    for (CandidateState& candidate : state.candidates) {
      if (candidate.phase == Phase::waiting || candidate.phase == Phase::dropped)
        candidate.phase = Phase::to_ask;
    }
  }

  void operator()(const DeviceChanged& e) {
    state.device = e.device;
    state.waiting_review.reset();
    state.baselines.reset();
    for (CandidateState& candidate : state.candidates) {
      const bool ranks = candidate.screen && (candidate.screen->verdict == Verdict::correct ||
                                              candidate.screen->verdict == Verdict::not_run ||
                                              candidate.screen->verdict == Verdict::not_emulated);
      if (!ranks) continue;
      candidate.screen.reset();
      candidate.promotion.reset();
      candidate.swept = false;
      candidate.variant.clear();
      candidate.phase = Phase::replied;
    }
  }

  void operator()(const BaselinesMeasured& e) {
    state.baselines = e.baselines;
    state.waiting_review.reset();
  }

  void operator()(const AskIntended& e) {
    if (e.candidate < 1 || e.candidate > static_cast<int>(state.candidates.size()) + 1) return;
    if (state.find(e.candidate) == nullptr) state.candidates.emplace_back().number = e.candidate;
    CandidateState& candidate = *state.find(e.candidate);
    candidate.phase = Phase::asking;
    candidate.part = e.part;
    candidate.purpose = e.purpose;
    candidate.parent = e.parent;
    candidate.hint = e.hint;
    if (e.part == 1) candidate.prompt_hash = e.prompt_hash;
    candidate.paid = e.paid;
  }

  void operator()(const ReplyReceived& e) {
    CandidateState* candidate = state.find(e.candidate);
    if (candidate == nullptr) return;
    candidate->phase = e.stop == "max_tokens" && e.part == 1 ? Phase::cut : Phase::replied;
    candidate->part = e.part;
    candidate->stop = e.stop;
    candidate->stop_detail = e.stop_detail;
    candidate->model = e.model;
    candidate->prompt_matches = e.prompt_matches;
    add(candidate->spend, e.spend);
    add(state.ledger.total, e.spend);
    ++state.ledger.replies;
    if (!e.spend.cost_usd) state.ledger.cost_complete = false;
    if (!e.usage_complete) state.ledger.usage_complete = false;
  }

  void operator()(const AttemptFailed& e) {
    ++state.ledger.failed_attempts;
    add(state.ledger.total, e.spend);
    if (e.possibly_paid) note_possibly_paid(e.candidate);
    if (CandidateState* candidate = state.find(e.candidate)) add(candidate->spend, e.spend);
  }

  void operator()(const AskFailed& e) {
    CandidateState* candidate = state.find(e.candidate);
    if (candidate == nullptr) return;
    candidate->phase = Phase::to_ask;
    candidate->problem = e.message;
  }

  void operator()(const ReplyAwaited& e) {
    if (CandidateState* candidate = state.find(e.candidate)) candidate->phase = Phase::waiting;
  }

  void operator()(const AskLost& e) {
    CandidateState* candidate = state.find(e.candidate);
    if (candidate == nullptr) return;
    candidate->phase = Phase::to_ask;
    if (e.possibly_paid) note_possibly_paid(e.candidate);
  }

  void operator()(const RepliesExhausted& e) {
    state.replies_exhausted = true;
    if (CandidateState* candidate = state.find(e.candidate)) candidate->phase = Phase::dropped;
  }

  void operator()(const Evaluated& e) {
    CandidateState* candidate = state.find(e.candidate);
    if (candidate == nullptr) return;
    state.waiting_review.reset();
    candidate->phase = Phase::judged;
    candidate->notes = e.notes;
    candidate->source_hash = e.source_hash;
    (e.summary.tier == Tier::screen ? candidate->screen : candidate->promotion) = e.summary;
    if (e.variants > 0) candidate->variants = e.variants;
  }

  void operator()(const Swept& e) {
    CandidateState* candidate = state.find(e.candidate);
    if (candidate == nullptr) return;
    state.waiting_review.reset();
    candidate->swept = true;
    candidate->variant = e.variant;
    if (e.summary) candidate->screen = e.summary;
  }

  void operator()(const Finished& e) {
    state.finished = e;
    const auto& earlier = state.waiting_review;
    if (earlier && earlier->of.outcome == e.outcome && earlier->of.best == e.best) state.review = earlier;
    state.waiting_review.reset();
  }

  void operator()(const Reviewed& e) {
    if (state.finished) state.review = Review{e, at, *state.finished};
  }

  void note_possibly_paid(int number) {
    ++state.ledger.possibly_paid;
    state.ledger.usage_complete = false;
    if (CandidateState* candidate = state.find(number)) candidate->possibly_paid = true;
  }
};

}  // namespace

CandidateState* RunState::find(int number) {
  if (number < 1 || number > static_cast<int>(candidates.size())) return nullptr;
  return &candidates[static_cast<std::size_t>(number) - 1];
}

const CandidateState* RunState::find(int number) const {
  if (number < 1 || number > static_cast<int>(candidates.size())) return nullptr;
  return &candidates[static_cast<std::size_t>(number) - 1];
}

RunState initial_state(const RunRecord& record) {
  RunState state;
  state.search = record.search;
  state.provider = record.provider;
  state.device = record.device;
  return state;
}

void apply(RunState& state, const Event& event) {
  state.active_s = std::max(state.active_s, event.active_s);
  std::visit(Apply{state, event.at}, event.body);
}

RunState fold(const RunRecord& record, const std::vector<Event>& events) {
  RunState state = initial_state(record);
  for (const Event& event : events) apply(state, event);
  return state;
}

}  // namespace kgen::core
