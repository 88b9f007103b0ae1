#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Whether the task's own shape fits in what is free. Errors: bad_input (more than the device has), missing;
/// both say how much it needs.
Result<bool> check_memory(Session& session);
/// Starts a run process for the candidate.
Result<bool> load_candidate(Session& session);
/// Runs the candidate over shapes and distributions and compares everything that can be compared.
Result<bool> run_checks(Session& session);
/// Lets go of the process and of all buffers.
void close_candidate(Session& session);

/// Lets go of all buffers; those of a shape are made again where it is run again.
Status drop_all_sets(Session& session);

/// Kernels of a program with the largest launch of any shape that uses it.
std::vector<run::KernelToLoad> kernels_of(const Session& session, std::size_t program);
/// Loads a program of the session into the process, in place of the one before, whose globals are compared
/// first. False: the process ended.
Result<bool> load_program(Session& session, std::size_t program);
/// Compares the module's globals with those right after it was loaded; adds a failed Check where they differ.
/// False: the process ended.
Result<bool> check_globals(Session& session);
/// Sets the verdict of the most telling check that failed; true where none did.
bool conclude(Session& session);

/// Turns a run process's failure into the verdict it means; a failing world into an Error.
Result<bool> stop_at_failure(Session& session, const run::RunFailure& failure, const std::string& where);

}  // namespace kgen::judge
