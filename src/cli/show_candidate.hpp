#pragma once

#include "agent/run_folder.hpp"
#include "cli/command.hpp"

/// What `kgen show RUN --candidate N` shows.
namespace kgen::cli {

/// The newest evaluation of a candidate, promotion before screen; with `why` the journal's lines about it
/// too. Errors: bad_input where the run has no such candidate or it is not judged yet.
Result<CommandResult> show_candidate(const agent::RunPaths& paths, const agent::StoredRun& run, int number,
                                     bool why);

/// What differs between a candidate's kernel and that of the candidate it was asked to repair or improve.
/// Errors: bad_input where it has no parent, or one of the two replies held no kernel.
Result<CommandResult> show_diff(const agent::RunPaths& paths, const agent::StoredRun& run, int number);

}  // namespace kgen::cli
