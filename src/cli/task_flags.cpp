#include "cli/task_flags.hpp"

#include <CLI/CLI.hpp>

#include "cli/op_catalogue.hpp"
#include "cli/shape_text.hpp"

namespace kgen::cli {

std::shared_ptr<TaskFlags> add_task_flags(CLI::App& command) {
  auto flags = std::make_shared<TaskFlags>();
  command
      .add_option("--op", flags->op,
                  "operation (`kgen ops list` shows them), or the folder of your own, ./my_op")
      ->type_name("NAME|DIR")
      ->required();
  command.add_option("--dtype", flags->dtype, "element type, e.g. bf16")->type_name("TYPE");
  command.add_option("--shape", flags->shape, "every dim, e.g. rows=8192,cols=8Ki")
      ->type_name("DIMS")
      ->check([](const std::string& text) { return text.empty() ? "it names no dim" : ""; });
  command.add_option("--attr", flags->attributes, "attributes, e.g. eps=1e-5")->type_name("ATTRS");
  return flags;
}

Result<core::Task> task_from_flags(const TaskFlags& flags, const std::string& ops_folder) {
  KGEN_TRY(const auto op, find_op(flags.op, ops_folder));
  core::Dims dims;
  if (!flags.shape.empty()) {
    KGEN_TRY(dims, parse_shape(flags.shape, *op));
  }
  KGEN_TRY(const core::Attributes attributes, parse_attributes(flags.attributes, *op));
  return core::make_task(op, flags.dtype, dims, attributes);
}

Result<core::Task> fit_to_kind(const core::Task& task, const TaskFlags& flags, bool emulated) {
  if (!emulated || !flags.shape.empty()) return task;
  return core::at_shape(task, task.op->emulator_dims, {});
}

Result<core::Task> fit_to_device(core::Task task, const TaskFlags& flags, const core::DeviceFacts& device) {
  KGEN_TRY(task, fit_to_kind(task, flags, device.kind == core::DeviceKind::emulator));
  KGEN_CHECK(check_memory(task, device));
  return task;
}

}  // namespace kgen::cli
