#pragma once

#include "core/task.hpp"

namespace kgen::core {

/// Device memory that judging a task takes at least, in bytes: its tensors, a second copy of what is changed
/// in place, and what is expected of each output in fp64 (8 bytes an element, 16 where the reference gives
/// the scale of its errors too). Workspaces of a plan come on top. Errors: bad_input, where a tensor's size
/// does not fit in 64 bits; INT64_MAX where only their sum does not.
Result<std::int64_t> judged_bytes(const Task& task);

/// Device memory of the tensors alone. Errors: as judged_bytes.
Result<std::int64_t> tensor_bytes(const Task& task);

}  // namespace kgen::core
