#pragma once

#include <string>
#include <variant>

#include "core/run_state.hpp"

/// Which step a run takes next: pure functions of its state.
namespace kgen::agent {

struct MeasureBaselines {};
/// A new candidate. Which strategy or bottleneck it is hinted at is `hint_index`, counted from 0: strategies
/// asked for in this run, or refinements of this parent.
struct AskNew {
  core::Purpose purpose = core::Purpose::plan;
  int parent = 0;
  int hint_index = 0;
};
/// The call of this candidate was lost, failed or awaits a person: make it again.
struct AskAgain {
  int candidate = 0;
};
/// The reply was cut off by length: ask for the rest.
struct ContinueReply {
  int candidate = 0;
};
struct Screen {
  int candidate = 0;
};
/// Time the variants of a correct candidate.
struct SweepVariants {
  int candidate = 0;
};
struct Promote {
  int candidate = 0;
};
/// Calls are open and nothing else is to do.
struct AwaitReply {};
/// Only people's replies are awaited: the session ends here.
struct StopWaiting {};
struct Finish {
  std::string reason;
};

using SearchStep = std::variant<MeasureBaselines, AskNew, AskAgain, ContinueReply, Screen, SweepVariants,
                                Promote, AwaitReply, StopWaiting, Finish>;

SearchStep next_step(const core::RunState& state);

/// How many different plans are asked for first.
int exploration_size(const core::SearchOptions& options);
/// Why nothing more is asked for: "" while there is something left.
std::string spent_budget(const core::RunState& state);
/// Correct candidates judged since the best one, none of which is faster.
int without_progress(const core::RunState& state);

}  // namespace kgen::agent
