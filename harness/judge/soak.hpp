#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Stage: thousands of launches of the task's program at small shapes, back to back in one process, on inputs
/// that change from launch to launch and on the same ones again. Outputs are poisoned before each burst of
/// launches and looked at after it, by hash where the op requires determinism, within tolerance where bits
/// may vary. Bounded by Workplace::soak. The check `soak` says how many launches there were, or which was
/// wrong.
Result<bool> check_soak(Session& session);

}  // namespace kgen::judge
