#pragma once

#include <deque>

#include "harness/run/run_process.hpp"

namespace kgen::run {

/// Keeps run processes started ahead, so that the next candidate, and the one after a fault, waits for none.
/// Where evaluations follow each other faster than processes come up (nothing is timed, or all of them
/// fault), one more is kept each time that one had to be waited for, up to kMostAhead: each holds a context.
class RunPool {
 public:
  /// Starts `ahead` processes at once (they come up in the background).
  static Result<RunPool> create(RunOptions options, int ahead = 2);

  /// A ready process; one is started where none waits. Errors: missing, where processes do not come up.
  Result<RunProcess> acquire();
  /// Starts processes in the stead of those acquired: when nothing is being measured.
  Status refill();
  /// Waits until every process started ahead is up, so that no start disturbs a measurement. Something is
  /// measured, so candidates take their time: from here on no more are kept than at the beginning.
  Status settle();
  /// What the process that comes next says of itself, once it is up. Errors: missing, as acquire().
  Result<RunReady> next_ready();
  /// How many are kept.
  int ahead() const { return ahead_; }
  static constexpr int kMostAhead = 4;

 private:
  RunPool(RunOptions options, int ahead) : options_(std::move(options)), at_first_(ahead), ahead_(ahead) {}
  Status start_one();
  RunOptions options_;
  int at_first_ = 0, ahead_ = 0;
  std::deque<RunProcess> waiting_;
};

}  // namespace kgen::run
