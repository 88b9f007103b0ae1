#pragma once

#include <string>

#include "prompt/prompt_builder.hpp"

namespace kgen::prompt {

/// What a kernel writer must know of the device: sizes, ceilings (measured or of the datasheet), what it can
/// do.
std::string device_brief(const core::DeviceFacts& device);
/// The op of a request: what it computes, its tensors, cost and floor, what counts as correct, the shapes it
/// is checked on, a naive kernel, what to beat. Errors: bad_input where the op's expressions fail for the
/// task.
Result<std::string> op_brief(const PromptRequest& request);
/// "`x_t` is `__nv_bfloat16`, `y_t` is `float`".
Result<std::string> tensor_types(const core::Task& task);

}  // namespace kgen::prompt
