#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/evaluation.hpp"
#include "harness/judge/shared/random.hpp"
#include "harness/run/run_process.hpp"

namespace kgen::judge {

/// One thing that is timed: the candidate, or a baseline. `time` runs the plan once on each set of a block
/// and returns microseconds; it checks what it can of the outputs.
struct TimedSubject {
  std::string name;
  std::function<Result<std::vector<double>>(const run::TimeBlock&)> time;
  int most_rounds = 1 << 20;    ///< of a slow subject that nobody compares closely
  std::vector<double> samples;  ///< microseconds
  std::vector<double> ratios;   ///< of each round: its median over the candidate's
  std::string why_stopped;      ///< a baseline that failed in a round: it takes part in no more
};

/// How long blocks are repeated.
struct SeriesLimits {
  double budget_ms = 180;
  int least_rounds = 2;
  double tight = 0.005;  ///< stop when the candidate's interval is within +- this share of its median
  /// Stop after any round in which the candidate's interval lies above this: it cannot win any more.
  double hopeless_above_us = std::numeric_limits<double>::infinity();
};

/// Times subjects[0] (the candidate) and the others in rounds: each round goes through all subjects forth and
/// back (A B C C B A), a block each, so that drift hits all alike. `block`: what a block is, its order
/// shuffled anew each time. `now_ms` is the clock; `after_round` is called after each. A baseline that fails
/// is left out from there on. Returns the number of rounds. Errors: the candidate's, and after_round's.
Result<int> time_in_rounds(std::vector<TimedSubject>& subjects, run::TimeBlock block, std::uint64_t seed,
                           const SeriesLimits& limits, const std::function<double()>& now_ms,
                           const std::function<Status()>& after_round);

/// A baseline's time and its speed-up (baseline over candidate) with the interval of the paired rounds.
void describe_baseline(const TimedSubject& subject, core::BaselineTiming& timing);

}  // namespace kgen::judge
