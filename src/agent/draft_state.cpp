#include "agent/draft_state.hpp"

#include <algorithm>

namespace kgen::agent {
namespace {

using Phase = core::CandidateState::Phase;

bool is_failure(DraftOutcome outcome) {
  return outcome == DraftOutcome::unreadable || outcome == DraftOutcome::not_proven;
}

/// Candidates that failed, one after the other, up to the newest, since a person last spoke.
int failures_in_a_row(const DraftState& state) {
  int count = 0;
  for (int number = state.newest(); number > 0 && !state.answered_after(number); --number) {
    const auto found = state.drafted.find(number);
    if (found == state.drafted.end() || !is_failure(found->second.outcome)) break;
    ++count;
  }
  return count;
}

struct ApplyDraft {
  DraftState& state;
  const DraftEvent& event;

  void operator()(const core::EventBody& body) const {
    const int before = state.newest();
    core::apply(state.calls, {event.at, event.active_s, body});
    if (state.newest() > before) state.accepted.reset();
  }
  void operator()(const Drafted& e) const {
    if (e.candidate >= 1 && e.candidate <= state.newest()) state.drafted[e.candidate] = e;
  }
  void operator()(const Answered& e) const {
    const bool in_turn = e.candidate == state.newest() && (e.candidate == 0 || state.last() != nullptr);
    if (in_turn) state.answered.push_back(e);
  }
  void operator()(const DraftAccepted& e) const {
    const Drafted* last = state.last();
    if (last != nullptr && last->candidate == e.candidate && last->outcome == DraftOutcome::proven)
      state.accepted = e;
  }
};

}  // namespace

const Drafted* DraftState::last() const {
  const auto found = drafted.find(newest());
  return found == drafted.end() ? nullptr : &found->second;
}

bool DraftState::answered_after(int number) const {
  return std::any_of(answered.begin(), answered.end(),
                     [&](const Answered& given) { return given.candidate == number; });
}

void apply(DraftState& state, const DraftEvent& event) {
  state.calls.active_s = std::max(state.calls.active_s, event.active_s);
  std::visit(ApplyDraft{state, event}, event.body);
}

DraftStep next_draft_step(const DraftState& state, int repairs) {
  if (state.newest() == 0) return DraftStep::ask;
  const Drafted* last = state.last();
  if (last == nullptr) {
    const Phase phase = state.calls.candidates.back().phase;
    return phase == Phase::replied || phase == Phase::cut ? DraftStep::judge : DraftStep::ask_again;
  }
  if (state.answered_after(state.newest())) return DraftStep::ask;
  return is_failure(last->outcome) && failures_in_a_row(state) <= repairs ? DraftStep::ask : DraftStep::stop;
}

}  // namespace kgen::agent
