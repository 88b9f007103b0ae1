#include "prompt/brief.hpp"

#include <cmath>

#include "prompt/format.hpp"

namespace kgen::prompt {
namespace {

constexpr std::int64_t kMega = 1 << 20;

std::string role_text(core::Role role) {
  switch (role) {
    case core::Role::input:
      return "input";
    case core::Role::output:
      return "output";
    case core::Role::inout:
      return "input and output (in place)";
  }
  return "";
}

std::string extents(const core::TensorFacts& tensor) {
  std::string text;
  for (const std::int64_t extent : tensor.shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

/// Of integer inputs: what their values stay below.
std::string ranges_text(const core::Task& task) {
  std::string text;
  for (const core::Tensor& tensor : task.op->tensors) {
    if (tensor.below.text().empty()) continue;
    text += "- every value of `" + tensor.name + "` is at least 0 and below " + tensor.below.text() + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

std::string tensors_text(const core::Task& task, const std::vector<core::TensorFacts>& tensors) {
  std::vector<std::vector<std::string>> rows;
  for (const core::TensorFacts& tensor : tensors) {
    std::string symbolic;
    for (const util::Expr& extent : task.op->find_tensor(tensor.name)->shape)
      symbolic += (symbolic.empty() ? "" : ", ") + extent.text();
    rows.push_back({"`" + tensor.name + "`", role_text(tensor.role), std::string(core::name_of(tensor.dtype)),
                    "[" + symbolic + "]", extents(tensor), grouped(tensor.bytes)});
  }
  return table({"tensor", "role", "dtype", "shape", "in this task", "bytes"}, rows) + ranges_text(task);
}

std::string attributes_text(const core::Task& task) {
  std::string text;
  for (const core::Attribute& attribute : task.op->attributes) {
    const auto value = task.attributes.find(attribute.name);
    text += "- attribute `" + attribute.name + "` (" + attribute.type +
            ") = " + number(value == task.attributes.end() ? attribute.default_value : value->second, 9) +
            ". " + attribute.description + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

std::string cost_text(const core::Cost& cost, core::DType dtype, const core::DeviceFacts& device) {
  std::string text = "Cost model of one launch: " + grouped(cost.bytes) + " bytes to move at least, " +
                     grouped(cost.flops) + " floating-point operations.";
  const core::Ceiling ceiling = core::bandwidth_ceiling(device);
  if (ceiling.gbs > 0 && cost.bytes > 0) {
    text += " At " + number(ceiling.gbs) + " GB/s" +
            (ceiling.measured ? " (measured here)" : " (of datasheet)") + " moving them takes **" +
            time_text(static_cast<double>(cost.bytes) / ceiling.gbs / 1e3) +
            "**: the floor, 100% of roofline.";
  }
  const core::ProductCeiling products = core::product_ceiling(device, dtype);
  if (products.flops > 0 && cost.product_flops > 0) {
    text += " At " + number(products.flops / 1e12) + " TFLOP/s " +
            (products.measured ? "(measured here)" : "(of datasheet, highest clock)") +
            " its matrix products take **" +
            time_text(static_cast<double>(cost.product_flops) / products.flops * 1e6) +
            "**; the later of the two is the floor.";
  }
  return text;
}

/// An expression's value for the task; its text where it has none.
std::string value_text(const util::Expr& expr, const core::Task& task) {
  const auto value = expr.evaluate(core::scope_of(task, {}));
  return value ? std::to_string(*value) : expr.text();
}

/// Beside the rounding of the result. Length 0: the reference adds all of it up itself.
std::string honest_loss_text(const core::Tolerance& rule, const core::Task& task) {
  if (rule.length.text() == "0")
    return "a bound that the reference adds up for each element, from every rounding that the description "
           "allows";
  const std::string cut_off = value_text(rule.value_steps, task);
  return value_text(rule.steps, task) + " roundings of " + number(core::unit_roundoff(rule.accumulator)) +
         " each and the growth of a sum of " + rule.length.text() + " terms" +
         (cut_off == "0" ? "" : ", and what tensor cores cut off from it");
}

std::string tolerance_text(const core::Task& task) {
  std::string text;
  for (const core::Tensor* output : task.op->outputs()) {
    const auto found = task.op->tolerances.find(output->name);
    if (found == task.op->tolerances.end()) {
      text += "- `" + output->name + "` must be equal to the expected values, bit for bit.\n";
      continue;
    }
    const core::Tolerance& rule = found->second;
    const core::DType dtype = core::dtype_of(*output, task.dtype);
    text += "- `" + output->name +
            "`, element by element, against results computed in fp64: one rounding to " +
            std::string(core::name_of(dtype)) + " (" + number(core::unit_roundoff(dtype)) +
            " of the value) plus what an honest " + std::string(core::name_of(rule.accumulator)) +
            " computation loses: " + honest_loss_text(rule, task) + ". Accumulate in " +
            std::string(core::name_of(rule.accumulator)) + " or better.\n";
    if (rule.signed_zeros) text += "- The sign of a zero in `" + output->name + "` counts: -0 is not 0.\n";
  }
  for (const core::Distribution& distribution : task.op->distributions) {
    if (!distribution.compare_equal) continue;
    return text +
           "- Some inputs are chosen so that the exact result is representable: there the output must be "
           "*equal*.\n";
  }
  return text;
}

std::string rules_text(const core::Task& task) {
  const core::Op& op = *task.op;
  std::string text = tolerance_text(task);
  text += op.special_values == core::SpecialValues::propagate
              ? "- NaN and infinities are part of the checks and must come out as IEEE arithmetic on the "
                "formula gives them.\n"
              : "- What comes out for NaN and infinite inputs is not checked.\n";
  text += op.determinism == core::Determinism::required
              ? "- Two runs on the same input must agree bit for bit.\n"
              : "- Bits may vary between runs, within the tolerance.\n";
  std::string names;
  for (const core::Distribution& distribution : op.distributions)
    names += (names.empty() ? "" : ", ") + distribution.name;
  return text + "- Values are drawn from these distributions: " + names + ".\n";
}

std::string shapes_text(const core::Task& task) {
  std::string text;
  for (const core::CheckShape& shape : task.op->check_shapes) {
    text += (text.empty() ? "" : "; ") + dims_text(shape.dims, task.op->dim_names);
    for (const auto& [name, value] : shape.attributes) text += ", " + name + "=" + number(value, 9);
  }
  return text;
}

/// A kernel that is right and slow, in the candidate's format: the op's naive baseline, else its CUDA oracle.
std::string naive_text(const core::Op& op) {
  for (const core::Baseline& baseline : op.baselines) {
    if (baseline.kind == "naive")
      return "A correct, slow kernel in the candidate's format, to show meaning and names:\n\n```cuda\n" +
             baseline.code + "```\n";
  }
  if (op.reference_cu.empty() && !op.reference_py.empty())
    return "The oracle that computes the expected values, in Python, on float64 arrays of the inputs in the "
           "op's order (an "
           "entry ending in `_scale` is the oracle's own):\n\n```python\n" +
           op.reference_py + "```\n";
  if (op.reference_cu.empty()) return "";
  return "The oracle that computes the expected values, naive and in fp64 (its outputs are `double`, yours "
         "are not; extra "
         "arguments ending in `_scale` are the oracle's own):\n\n```cuda\n" +
         op.reference_cu + "```\n";
}

std::string baselines_text(const std::vector<core::BaselineTiming>& baselines) {
  std::vector<std::vector<std::string>> rows;
  for (const core::BaselineTiming& baseline : baselines) {
    rows.push_back(
        {baseline.name,
         baseline.time ? time_text(baseline.time->median_us) : "not measured: " + baseline.why_missing,
         baseline.library ? "yes" : "no"});
  }
  return rows.empty() ? ""
                      : "Times to beat, measured on this device, median, cold caches:\n\n" +
                            table({"baseline", "time", "a library"}, rows) + "\n";
}

std::string target_text(const core::Target& target) {
  switch (target.kind) {
    case core::Target::Kind::speedup:
      return "Target: at least " + number(target.value) + " times as fast as the best library.";
    case core::Target::Kind::roofline:
      return "Target: at least " + number(target.value) + "% of roofline.";
    case core::Target::Kind::automatic:
      break;
  }
  return "Target: faster than the best library beyond doubt (the 95% interval of the speed-up above 1.0); "
         "where there is none, "
         "80% of roofline. Closer to the floor is better still.";
}

}  // namespace

std::string device_brief(const core::DeviceFacts& device) {
  std::string text = "- " + device.name + ", compiled for `" + device.arch + "`";
  if (device.kind == core::DeviceKind::emulator)
    text +=
        ". kgen's emulator runs the PTX on a CPU: correctness is checked exactly (bounds, races, "
        "uninitialised reads), "
        "nothing is timed; `cuda::memcpy_async` works with a `cuda::pipeline`, as does that of cooperative "
        "groups, but not with a `cuda::barrier`";
  if (device.kind == core::DeviceKind::none)
    text += ". There is no device at hand: the kernel is compiled and not run";
  text += ".\n- " + std::to_string(device.num_sms) + " SMs; an SM holds " +
          std::to_string(device.max_threads_per_sm) + " threads, " +
          std::to_string(device.max_blocks_per_sm) + " blocks, " + grouped(device.registers_per_sm) +
          " registers (255 a thread at most) and " + grouped(device.shared_per_sm) +
          " bytes of shared memory, of which a block may have " + grouped(device.max_dynamic_shared) + ".\n";
  if (device.l2_bytes > 0) text += "- L2 cache: " + grouped(device.l2_bytes / kMega) + " MiB.";
  if (device.memory_bytes > 0) text += " Memory: " + grouped(device.memory_bytes / kMega) + " MiB.";
  if (device.l2_bytes > 0 || device.memory_bytes > 0) text += "\n";
  const core::Ceiling ceiling = core::bandwidth_ceiling(device);
  if (ceiling.gbs > 0) {
    text += "- Memory bandwidth: " + number(ceiling.gbs) + " GB/s " +
            (ceiling.measured ? "(a copy, reads plus writes, measured on this device" : "(of datasheet") +
            (ceiling.measured && device.datasheet_bandwidth_gbs > 0
                 ? "; datasheet " + number(device.datasheet_bandwidth_gbs) + ")"
                 : ")") +
            ".\n";
  }
  std::string capabilities;
  for (const std::string& capability : device.capabilities)
    capabilities += (capabilities.empty() ? "" : ", ") + capability;
  return text +
         "- It can: " + (capabilities.empty() ? "ordinary loads, stores and arithmetic" : capabilities) + ".";
}

Result<std::string> tensor_types(const core::Task& task) {
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  std::string text;
  for (const core::TensorFacts& tensor : tensors) {
    text += (text.empty() ? "" : ", ") + ("`" + tensor.name + "_t` is `") +
            std::string(core::facts_of(tensor.dtype).cuda_type) + "`";
  }
  return text;
}

Result<std::string> op_brief(const PromptRequest& request) {
  const core::Task& task = *request.task;
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  KGEN_TRY(const core::Cost cost, core::cost_of(task));
  std::string text = "**" + task.op->title + "** (`" + task.op->name + "`). " + task.op->description;
  if (text.back() != '\n') text += '\n';
  text += "\nThis task: " + core::describe(task) + ".\n\n" + tensors_text(task, tensors) +
          attributes_text(task) + "\n" + cost_text(cost, task.dtype, *request.device) +
          "\n\n## What counts as correct\n\n" + rules_text(task) +
          "- Check shapes beside the task's own: " + shapes_text(task) + ". " +
          (request.general
               ? "Every one must be covered."
               : "Serve as many as you can without slowing the task's own shape (a second kernel chosen by "
                 "`when` costs nothing); exclude the rest through `requires`.") +
          "\n\n## A naive kernel\n\n" + naive_text(*task.op) + "\n## What to beat\n\n" +
          baselines_text(request.baselines) + target_text(request.target);
  return text;
}

}  // namespace kgen::prompt
