#pragma once

#include <functional>

#include "batch/batch_journal.hpp"

namespace kgen::batch {

/// An item to work on and the dollars that its own settings allow it.
struct WorkItem {
  const Item* item = nullptr;
  std::optional<double> own_dollars;
};

/// What a session of a batch works on, and with. The functions are called from several threads at once, but
/// for `started` and `ended`, which are called one at a time.
struct BatchInputs {
  const BatchRecord& record;
  BatchJournal& journal;
  std::vector<WorkItem> items;  ///< in the order in which they are started
  int searches = 1;             ///< at once
  /// Searches for one item; `dollars` is the limit of its run. What it throws ends the item with code 1.
  std::function<ItemEnd(const Item& item, std::optional<double> dollars)> run_item;
  std::function<void(const Item& item)> started;
  std::function<void(const Item& item, const ItemEnd& end)> ended;
  std::function<bool()> cancelled;
};

/// How a session of a batch ended.
struct BatchEnd {
  core::ExitCode code = core::ExitCode::ok;  ///< of the worst item of the whole batch
  std::string stopped;                       ///< why items are left that were not started; empty: none are
};

/// Runs the items, `searches` at once. Nothing new is started once `cancelled` says so, the money is spent,
/// or three items in a row ended because of the provider or the worker (the fault is hardly theirs). Errors:
/// where the journal cannot be written.
Result<BatchEnd> run_batch(const BatchInputs& inputs);

/// The worst exit code over all items, worst first: 1 130 5 4 2 3 75 0; one that has not ended counts as 130
/// where it was started, else as 3.
core::ExitCode worst_code(const BatchRecord& record, const BatchState& state);

}  // namespace kgen::batch
