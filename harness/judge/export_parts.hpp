#pragma once

#include "core/build.hpp"
#include "harness/judge/workplace.hpp"

namespace kgen::judge {

/// A candidate's cubin, PTX and kernels. A file that does not compile is a reply that says why. Errors:
/// missing (no compiler).
Result<core::BuildReply> build(const Workplace& workplace, const core::BuildRequest& request);

/// Inputs of a task by the op's first distribution, and what the CPU reference expects, with the tolerance of
/// each element. Errors: missing, where no reference of the op is linked in.
Result<core::SampleReply> sample(const Workplace& workplace, const core::SampleRequest& request);

}  // namespace kgen::judge
