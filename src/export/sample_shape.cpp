#include "export/sample_shape.hpp"

#include <algorithm>
#include <limits>

namespace kgen::exporting {
namespace {

constexpr std::int64_t kMostCost = 400'000'000;  ///< flops plus bytes of the op's cost model
constexpr std::int64_t kMostBytes = std::int64_t{4}
                                    << 20;  ///< of all tensors, so that the data files are small
constexpr std::int64_t kExtents[] = {3,   5,   2,   8,   16,  24,  32,  48,   64,   96,   128, 160,
                                     192, 256, 320, 384, 512, 640, 768, 1024, 2048, 4096, 1};

/// What a sample at this task costs; nothing where the compiled code does not serve it.
class Judge {
 public:
  Judge(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved, const core::DeviceFacts& device)
      : plan_(plan), resolved_(resolved), device_(device) {}

  bool serves(const core::Task& task) const {
    const auto unmet = core::unmet_requirement(plan_, task, device_);
    if (!unmet || *unmet) return false;
    const auto there = core::resolve_plan(plan_, task, device_, resolved_.variant);
    return there && there->macros == resolved_.macros && !there->steps.empty();
  }

  static std::int64_t cost(const core::Task& task) {
    const auto cost = core::cost_of(task);
    const auto tensors = core::tensors_of(task);
    if (!cost || !tensors) return std::numeric_limits<std::int64_t>::max();
    std::int64_t bytes = 0;
    for (const auto& tensor : *tensors) {
      if (tensor.elements == 0) return std::numeric_limits<std::int64_t>::max();
      bytes += tensor.role == core::Role::input ? tensor.bytes : tensor.bytes + 16 * tensor.elements;
    }
    return bytes > kMostBytes ? std::numeric_limits<std::int64_t>::max() : cost->flops + cost->bytes;
  }

 private:
  const core::LaunchPlan& plan_;
  const core::ResolvedPlan& resolved_;
  const core::DeviceFacts& device_;
};

/// The task with each dim in turn as small as it may be while the code still serves it.
core::Task shrunk(const Judge& judge, core::Task task) {
  for (const auto& name : task.op->dim_names) {
    for (const std::int64_t extent : kExtents) {
      if (extent >= task.dims.at(name)) continue;
      const auto smaller = core::at_shape(task, {{name, extent}}, {});
      if (!smaller || !judge.serves(*smaller)) continue;
      task = *smaller;
      break;
    }
  }
  return task;
}

}  // namespace

std::optional<core::Task> sample_shape(const core::LaunchPlan& plan, const core::ResolvedPlan& resolved,
                                       const core::Task& task, const core::DeviceFacts& device) {
  const Judge judge(plan, resolved, device);
  std::vector<core::Task> candidates;
  for (const auto& shape : task.op->check_shapes) {
    // The largest that is cheap enough says the most: tiny shapes have no second tile.
    if (auto at = core::at_shape(task, shape.dims, shape.attributes)) candidates.push_back(std::move(*at));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return Judge::cost(a) > Judge::cost(b); });
  candidates.push_back(shrunk(judge, task));
  for (const core::Task& candidate : candidates) {
    if (Judge::cost(candidate) <= kMostCost && judge.serves(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace kgen::exporting
