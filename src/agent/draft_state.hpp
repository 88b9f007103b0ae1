#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/draft_events.hpp"
#include "core/run_state.hpp"

namespace kgen::agent {

/// The state of a draft: a pure fold over its journal.
struct DraftState {
  core::RunState calls;                   ///< of its candidates the replies alone; and the ledger
  std::map<int, Drafted> drafted;         ///< by candidate
  std::vector<Answered> answered;         ///< in order
  std::optional<DraftAccepted> accepted;  ///< of the newest candidate: one that comes later ends it

  int newest() const { return static_cast<int>(calls.candidates.size()); }
  /// What became of the newest candidate; null where nothing has yet.
  const Drafted* last() const;
  /// Whether a person spoke after candidate `number` (0: before the first).
  bool answered_after(int number) const;
};

/// Defined for every event in every state: what makes no sense there changes nothing.
void apply(DraftState& state, const DraftEvent& event);

enum class DraftStep {
  ask,        ///< a new candidate
  ask_again,  ///< the newest: its reply is not there
  judge,      ///< the newest: its reply is there
  stop,       ///< it is a person's turn: questions, a draft to accept, or one that never passed
};
/// What is to be done next. A draft that fails is repaired at most `repairs` times in a row; what a person
/// says begins the count anew.
DraftStep next_draft_step(const DraftState& state, int repairs);

}  // namespace kgen::agent
