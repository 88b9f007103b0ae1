#include <algorithm>

#include "core/proof.hpp"

// Whether an op's cost model can be true: a roofline, a target and a time's plausibility rest on it.
namespace kgen::core {
namespace {

/// Bytes that no kernel can do without, and more than any would move.
struct ByteBounds {
  double least = 0, most = 0;
};

/// Of an op with indices (`below`) the other inputs may be tables of which only some rows are read; and
/// attributes other than the default ones may leave inputs out (windows further apart than they are wide).
ByteBounds byte_bounds(const Task& task, const std::vector<TensorFacts>& tensors) {
  constexpr double kMostPasses = 8;
  const Op& op = *task.op;
  const bool has_indices = std::any_of(op.tensors.begin(), op.tensors.end(),
                                       [](const Tensor& t) { return !t.below.text().empty(); });
  const bool reads_all =
      std::all_of(op.attributes.begin(), op.attributes.end(), [&](const Attribute& attribute) {
        return task.attributes.at(attribute.name) == attribute.default_value;
      });
  ByteBounds bounds;
  for (const TensorFacts& tensor : tensors) {
    const auto bytes = static_cast<double>(tensor.bytes);
    const bool is_table = (has_indices || !reads_all) && tensor.below == 0 && tensor.role != Role::output;
    if (!is_table) bounds.least += bytes;
    bounds.most += kMostPasses * bytes * (tensor.role == Role::inout ? 2 : 1);
  }
  return bounds;
}

/// What cannot be true at a task; empty: nothing.
Result<std::string> implausible(const Task& task) {
  KGEN_TRY(const auto tensors, tensors_of(task));
  KGEN_TRY(const Cost cost, cost_of(task));
  const bool has_output = std::any_of(tensors.begin(), tensors.end(), [](const TensorFacts& t) {
    return t.role != Role::input && t.elements > 0;
  });
  if (!has_output) return std::string();
  const ByteBounds bounds = byte_bounds(task, tensors);
  const auto bytes = static_cast<double>(cost.bytes);
  const auto said = [](const char* field, std::int64_t value) {
    return "cost." + std::string(field) + " is " + std::to_string(value);
  };
  if (cost.flops < 0) return said("flops", cost.flops) + ": expected 0 or more";
  if (cost.product_flops < 0 || cost.product_flops > cost.flops)
    return said("product_flops", cost.product_flops) + ": expected 0 to flops, which is " +
           std::to_string(cost.flops);
  if (bytes < bounds.least)
    return said("bytes", cost.bytes) + ", and the tensors alone have " +
           std::to_string(static_cast<std::int64_t>(bounds.least)) + ": expected at least these";
  if (bytes > bounds.most)
    return said("bytes", cost.bytes) + ", more than eight times what the tensors have (" +
           std::to_string(static_cast<std::int64_t>(bounds.most / 8)) +
           "): a roofline would call every kernel implausibly fast";
  return std::string();
}

/// The default task, the emulator's, and each check shape.
std::vector<Task> tasks_of(const std::shared_ptr<const Op>& op) {
  std::vector<Task> tasks;
  const auto add = [&](const Dims& dims, const Attributes& attributes) {
    if (auto task = make_task(op, "", dims, attributes)) tasks.push_back(std::move(*task));
  };
  add({}, {});
  add(op->emulator_dims, {});
  for (const CheckShape& shape : op->check_shapes) add(shape.dims, shape.attributes);
  return tasks;
}

}  // namespace

Finding check_costs(const std::shared_ptr<const Op>& op) {
  Finding finding{"cost", Finding::State::passed, "", ""};
  const auto tasks = tasks_of(op);
  for (const Task& task : tasks) {
    const auto problem = implausible(task);
    if (problem && problem->empty()) continue;
    finding.state = Finding::State::failed;
    finding.where = describe(task);
    finding.detail = problem ? *problem : problem.error().text();
    return finding;
  }
  finding.detail = "flops and bytes are plausible at " + std::to_string(tasks.size()) + " shapes";
  return finding;
}

}  // namespace kgen::core
