#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// The stage that counts what a correct candidate does in one execution at the task's shape, where the device
/// can tell: Evaluation::profile. On others it does nothing.
Result<bool> count_candidate(Session& session);

}  // namespace kgen::judge
