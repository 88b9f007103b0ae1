#pragma once

#include <vector>

#include "harness/judge/filled_sets.hpp"

namespace kgen::judge {

/// The candidate as it is timed: every execution, warm-up and timed alike, runs on poisoned outputs and its
/// outputs are compared: by hash with those of an execution that was verified in full, or in full where bits
/// may vary.
class TimedCandidate {
 public:
  explicit TimedCandidate(Session& session) : session_(session) {}

  /// Makes the sets, with fresh values, and verifies one execution on each. False: the verdict is set.
  Result<bool> verify_sets();
  /// Verifies one execution on each of these, which stay as they are: another variant of the kernel may be
  /// verified on them too. False: the verdict is set.
  Result<bool> verify_sets(const std::vector<FilledSet>& filled);
  /// Runs one block untimed and chooses stream or (where all can: `may_graph`) graph for `block`. False: the
  /// verdict is set.
  Result<bool> warm_up(run::TimeBlock& block, bool may_graph);
  /// Times one block and checks its outputs. Every launch finds poison in its outputs and workspaces; where
  /// tensors change in place, which only the judge restores, it is a block of its own. After an error,
  /// stopped() says whether the verdict is set.
  Result<std::vector<double>> time(const run::TimeBlock& block);
  /// Gives one of the sets (each in turn) fresh values, whose next outputs are compared in full; at most
  /// `budget_ms` of all calls together goes into that. After an error, stopped() says whether the verdict is
  /// set.
  Status refresh(double budget_ms);
  /// Whether launches on values that the kernel had not met took longer than the others. False: the verdict
  /// is set, they clearly did.
  bool is_as_quick_on_fresh_values();
  /// Guards, inputs and globals after all timed launches. False: the verdict is set.
  Result<bool> check_afterwards();

  std::vector<int> sets() const;
  bool stopped() const { return stopped_; }
  int checked_launches() const { return checked_; }

 private:
  struct TimedSet {
    FilledSet filled;
    U64 output_hash = 0;
    bool fresh = false;  ///< no outputs of these values were compared yet
  };
  TimedSet& timed_set(int number);
  Result<std::vector<double>> time_apart(const run::TimeBlock& block);
  Result<std::vector<double>> time_together(run::TimeBlock block);
  Result<bool> outputs_are_right(TimedSet& set);
  Result<bool> verify(const FilledSet& filled);
  /// False: the verdict is set.
  Result<bool> inputs_are_unchanged(const TimedSet& set);
  /// Sets the verdict and the failed check; false.
  bool stop(core::Verdict verdict, const std::string& message);

  Session& session_;
  std::vector<TimedSet> sets_;
  bool stopped_ = false;
  int checked_ = 0;
  int refreshed_ = 0;
  std::vector<double> fresh_us_, repeated_us_;  ///< of timed launches, by whether their values were new
  double fill_ms_ = 0;                          ///< what fresh values and their expected ones took last
  double refresh_ms_ = 0;                       ///< of all refreshes
};

}  // namespace kgen::judge
