#pragma once

#include <map>
#include <set>

#include "batch/batch_record.hpp"
#include "core/exit_code.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen::batch {

/// How an item's run stands when its search has stopped, for whatever reason.
struct ItemEnd {
  int item = 0;
  std::string task;  ///< that was searched for: on the emulator the op's own shape there; empty: not known
  core::ExitCode code = core::ExitCode::ok;
  std::string outcome;  ///< of a finished run: "target_met", ...
  std::string problem;  ///< of one that is not
  int candidates = 0, best = 0;
  double time_us = 0, speedup = 0, speedup_low = 0, speedup_high = 0;  ///< of the best; 0: not measured
  double active_s = 0;
  std::optional<double> cost_usd;  ///< all sessions of the run
  bool cost_complete = true;       ///< false: some call had no price

  /// A search that ran to its own end, well or not: to go on with it takes a larger budget.
  bool finished() const { return !outcome.empty(); }
};

/// The state of a batch: a fold over its journal.
struct BatchState {
  std::map<int, ItemEnd> ended;      ///< by item; the newest
  std::map<int, double> allowances;  ///< dollars that items were started with and have not come back from
  std::set<int> started;             ///< and not ended
  int sessions = 0;
};

/// The task of an item in words, as its run has it; else as the list names it.
const std::string& task_text(const BatchState& state, const Item& item);

/// The one writer of a batch: holds its lock. Not for use by two threads at once.
class BatchJournal {
 public:
  /// Errors: bad_input where another process holds the batch, or for a line that does not parse.
  static Result<BatchJournal> open(const BatchPaths& paths);

  Status session_started(int searches);
  Status item_started(int item, std::optional<double> dollars);
  Status item_ended(const ItemEnd& end);
  Status session_ended(core::ExitCode code);
  const BatchState& state() const { return state_; }

 private:
  BatchJournal(util::FolderLock lock, util::AppendFile file, BatchState state);
  Status add(nlohmann::json event);

  util::FolderLock lock_;
  util::AppendFile file_;
  BatchState state_;
};

/// The state as it lies there, without locking it.
Result<BatchState> read_batch_state(const BatchPaths& paths);

nlohmann::json to_json(const ItemEnd& end);

}  // namespace kgen::batch
