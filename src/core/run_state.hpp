#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run_events.hpp"

namespace kgen::core {

/// What is known of one candidate.
struct CandidateState {
  enum class Phase {
    to_ask,   ///< a call was lost or failed; it is made again
    asking,   ///< a call is open
    waiting,  ///< a person writes the reply
    cut,      ///< the first part of a reply is there, and the model was cut off by length
    replied,  ///< the reply is there, not judged on the device at hand
    judged,
    dropped,  ///< no reply will come
  };
  int number = 0;
  Phase phase = Phase::to_ask;
  int part = 1;
  Purpose purpose = Purpose::plan;
  int parent = 0;
  std::string hint, prompt_hash, stop, stop_detail, model, notes, source_hash, problem;
  bool paid = false;
  bool possibly_paid = false;
  std::optional<bool> prompt_matches;
  Spend spend;  ///< all its calls
  std::optional<EvaluationSummary> screen, promotion;
  int variants = 0;    ///< that its plan allows for the task; 0: not known
  bool swept = false;  ///< its variants were timed on the device at hand
  /// The tunables it goes on with, as the sweep found them; empty: those of the file.
  std::map<std::string, std::int64_t> variant;

  bool open() const { return phase == Phase::asking || phase == Phase::waiting || phase == Phase::to_ask; }
};

/// Everything paid for.
struct Ledger {
  int replies = 0;
  int failed_attempts = 0;
  int possibly_paid = 0;
  Spend total;
  bool cost_complete = true;   ///< false: some call had no price
  bool usage_complete = true;  ///< false: some usage is an estimate or not known
};

/// The newest review of a run's result, and when it was made (UTC).
struct Review {
  Reviewed decision;
  std::string at;
  Finished of;  ///< the result that it is about
};

/// The state of a run: a pure fold over its journal.
struct RunState {
  SearchOptions search;
  std::string provider;
  DeviceFacts device;
  std::vector<CandidateState> candidates;  ///< [0] is candidate 1
  std::optional<std::vector<BaselineTiming>> baselines;
  Ledger ledger;
  bool replies_exhausted = false;
  int sessions = 0;
  double active_s = 0;
  std::optional<Finished> finished;
  std::optional<Review> review;  ///< of this result: a run that goes on has none
  /// Of the result before the run went on: counts again where it ends with that result and nothing was
  /// judged.
  std::optional<Review> waiting_review;

  CandidateState* find(int number);
  const CandidateState* find(int number) const;
};

RunState initial_state(const RunRecord& record);
/// Defined for every event in every state: what makes no sense there changes nothing.
void apply(RunState& state, const Event& event);
RunState fold(const RunRecord& record, const std::vector<Event>& events);

}  // namespace kgen::core
