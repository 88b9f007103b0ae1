#pragma once

#include <string_view>

#include "core/task.hpp"

namespace kgen::cli {

/// Dims from "rows=8192,cols=8Ki" (Ki, Mi, Gi are powers of 1024). Every dim of the op is named once.
/// Errors: bad_input naming the dim, its value and what was expected.
Result<core::Dims> parse_shape(std::string_view text, const core::Op& op);
/// Attributes from "eps=1e-5,causal=true"; those not named keep their defaults. Errors: as parse_shape.
Result<core::Attributes> parse_attributes(std::string_view text, const core::Op& op);

/// Refuses a task whose tensors do not fit in the device's memory, saying how much they need and what there
/// is. A device whose memory is not known (none) refuses nothing.
Status check_memory(const core::Task& task, const core::DeviceFacts& device);

}  // namespace kgen::cli
