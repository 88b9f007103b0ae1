#pragma once

#include <vector>

#include "harness/judge/session.hpp"

/// Stages of evaluations that look at the task's own shape alone, several of them beside each other.
namespace kgen::judge {

/// The task's own shape alone. False: the verdict is set.
Result<bool> choose_task_shape(Session& session);  // prepare.cpp

/// compile_programs for several candidates in one go; the answers are theirs, in order.
std::vector<Result<bool>> compile_together(const Workplace& workplace,
                                           const std::vector<Session*>& sessions);  // compile_stage.cpp

}  // namespace kgen::judge
