#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// The stage that profiles a correct and timed candidate at the task's shape: Evaluation::profile. It finds
/// no verdict: what cannot be had is a gap of the profile. Skipped where it was not asked for, and for a
/// candidate slower than the request's limit.
Result<bool> profile_candidate(Session& session);

/// The same where nothing runs (device none): the machine code's instructions, or a gap. Nothing where nobody
/// counts them.
Result<bool> list_machine_code(Session& session);

/// Fills what a profile says of the task: dims, bytes, products.
Status describe_task(const Session& session, core::Profile& profile);

}  // namespace kgen::judge
