#pragma once

#include <optional>

#include "export/export_inputs.hpp"

namespace kgen::exporting {

/// A small shape at which the compiled code (these macros, this variant) serves the task, to check it with:
/// one of the op's check shapes, else the task's own with every dim as small as it can be. Nothing where no
/// shape costs less than a reference on the CPU does in about a second.
std::optional<core::Task> sample_shape(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved,
                                       const core::Task& task, const core::DeviceFacts& device);

}  // namespace kgen::exporting
