#pragma once

#include "agent/agent_loop.hpp"
#include "batch/batch_journal.hpp"
#include "cli/setting_flags.hpp"
#include "cli/worker_setup.hpp"

namespace kgen::cli {

/// What every item of a batch is worked on with.
struct BatchContext {
  const batch::BatchRecord& record;
  batch::BatchPaths paths;
  FlagValues flags;  ///< of this command line; above all else
  RunningWorker& worker;
};

/// The settings that hold for an item: the batch's < its own < flags of the first command line < of this one.
FlagValues item_flags(const batch::BatchRecord& record, const batch::TaskSpec& spec, const FlagValues& flags);

/// The task that `spec` names under `config`; on the emulator (`emulated`) at the op's shape there, where it
/// names none. Errors: bad_input, naming what is wrong.
Result<core::Task> task_of(const batch::TaskSpec& spec, const config::Config& config, bool emulated);

/// Starts the item's run, or goes on with it where it is begun, until it is finished or cannot go on.
/// `dollars` is the run's limit. An error is in the end's code and problem: it concerns this item only.
batch::ItemEnd run_item(const BatchContext& context, const batch::Item& item, std::optional<double> dollars,
                        agent::LoopProgress progress);

}  // namespace kgen::cli
