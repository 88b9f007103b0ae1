#pragma once

#include <memory>
#include <string>

#include "core/task.hpp"

namespace CLI {
class App;
}

namespace kgen::cli {

/// What --op, --dtype, --shape and --attr say.
struct TaskFlags {
  std::string op, dtype, shape, attributes;
};
std::shared_ptr<TaskFlags> add_task_flags(CLI::App& command);

/// The task they name; what is not said comes from the op's default task. Errors: bad_input, as the message
/// says.
Result<core::Task> task_from_flags(const TaskFlags& flags, const std::string& ops_folder);

/// The op's shape for the emulator where the device is it and the flags name none; else the task as it is.
Result<core::Task> fit_to_kind(const core::Task& task, const TaskFlags& flags, bool emulated);

/// The task on the device at hand: refused where its tensors do not fit; on the emulator the op's emulator
/// shape where no shape was asked for.
Result<core::Task> fit_to_device(core::Task task, const TaskFlags& flags, const core::DeviceFacts& device);

}  // namespace kgen::cli
