#pragma once

#include <vector>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/session.hpp"

namespace kgen::judge {

/// What is executed: all of the tier's cases, fewer on the emulator, which says so in a check of its own.
std::vector<CheckCase> chosen_cases(Session& session);

/// Whether the emulator would run a shape for its elements, but not for the threads that the candidate
/// starts.
bool is_shut_out(const ShapeCase& shape);

/// Whether a shape meets every distribution of its tier: always, but for those that take the emulator long.
bool is_run_whole(const Session& session, const ShapeCase& shape);

/// Some failed checks say what more would: no further case is needed.
bool has_failed_enough(const Session& session);

}  // namespace kgen::judge
