#pragma once

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// What the driver says of a launch on a GPU, for the emulator: each kernel's occupancy at the task's shape,
/// from what ptxas says of its machine code. False, with the verdict launch_error, where one launch of some
/// shape needs more registers or shared memory than a multiprocessor has.
bool check_resources(Session& session);

}  // namespace kgen::judge
