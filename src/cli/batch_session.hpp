#pragma once

#include "batch/batch_loop.hpp"
#include "cli/batch_item.hpp"
#include "cli/command.hpp"

namespace kgen::cli {

/// Works on `items` of a batch until they are done or nothing new may be started; the table of their progress
/// is on stderr, the summary in the result. Errors: where the workers cannot be started or the journal cannot
/// be written.
Result<CommandResult> run_batch_session(const batch::BatchRecord& record, const batch::BatchPaths& paths,
                                        batch::BatchJournal& journal, std::vector<batch::WorkItem> items,
                                        const FlagValues& flags);

}  // namespace kgen::cli
