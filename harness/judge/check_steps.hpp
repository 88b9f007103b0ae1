#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Stage, after all that executes shapes: what of the plan was executed at all. Where a step never ran at a
/// shape that was checked, the check `steps` is listed as not run and the evaluation flagged
/// `step_never_run`: nothing is known of its code. Where no shape but the task's own was checked, the
/// evaluation is flagged `only_task_shape`.
Result<bool> check_steps(Session& session);

}  // namespace kgen::judge
