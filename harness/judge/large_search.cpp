#include "harness/judge/large_search.hpp"

#include <algorithm>

#include "harness/judge/oracle_cost.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/source_constants.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kMostFlops =
    4'000'000'000'000;  ///< a naive fp64 reference takes a second or two for them
constexpr std::int64_t kMostBytes = 200'000'000'000;  ///< of the cost model
constexpr std::int64_t kLongestDim = std::int64_t{1} << 34;
constexpr std::int64_t kLargestGranule = std::int64_t{1} << 20;
constexpr std::int64_t kMargin = std::int64_t{1} << 30;  ///< left to the driver and the processes

core::PlanResult<ShapeCase> resolve(const core::LaunchPlan& plan, const core::Task& task,
                                    const core::DeviceFacts& device, const core::Variant& wanted) {
  ShapeCase out;
  out.task = task;
  out.large = true;
  KGEN_TRY(const auto variant, core::variant_near(plan, task, device, wanted));
  KGEN_TRY(out.resolved, core::resolve_plan(plan, task, device, variant));
  out.tensors = core::tensors_of(task).value_or(std::vector<core::TensorFacts>{});
  return out;
}

}  // namespace

std::int64_t largest_tensor(const core::Task& task) {
  const auto tensors = core::tensors_of(task);
  std::int64_t most = 0;
  if (tensors) {
    for (const auto& tensor : *tensors) most = std::max(most, tensor.elements);
  }
  return most;
}

std::optional<core::Task> with_extent(core::Task task, const std::string& dim, std::int64_t extent) {
  task.dims[dim] = extent;
  if (!core::tensors_of(task)) return std::nullopt;  // bytes beyond 64 bits
  return task;
}

std::int64_t stretched(const core::Task& task, const std::string& dim, std::int64_t threshold,
                       const std::function<std::int64_t(const core::Task&)>& size) {
  std::int64_t low = 1, high = kLongestDim;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const auto at = with_extent(task, dim, middle);
    if (!at || size(*at) > threshold) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const auto at = with_extent(task, dim, low);
  return at && size(*at) > threshold ? low : 0;
}

std::string longest_dim(const core::Op& op, const util::Expr& extent) {
  std::string longest;
  for (const auto& [name, value] : op.default_dims)
    if (extent.mentions(name) && (longest.empty() || value > op.default_dims.at(longest))) longest = name;
  return longest;
}

bool is_quick(const core::Task& task, const core::DeviceFacts& device, std::int64_t most_steps) {
  const auto oracle = OracleCostModel(*task.op).at(task, device);
  return oracle && oracle->operations <= kMostFlops && oracle->steps <= most_steps;
}

std::vector<core::Task> bases_of(const core::Task& task) {
  std::vector<core::Task> out = {task};
  for (const auto& shape : task.op->check_shapes) {
    const auto at = core::at_shape(task, shape.dims, shape.attributes);
    if (at && largest_tensor(*at) >= 4096) out.push_back(*at);
  }
  return out;
}

std::vector<std::int64_t> granules_of(const core::LaunchPlan& plan) {
  std::vector<std::int64_t> out;
  for (std::int64_t power = 1; power <= kLargestGranule; power *= 2) out.push_back(power);
  for (const auto& requirement : plan.requirements) {
    for (const std::int64_t number : source_constants(requirement.text()))
      if (number <= kLargestGranule && out.size() < 64) out.push_back(number);
  }
  return out;
}

std::string try_shape(const LargeSearch& search, const core::Task& at, LargeChoice& out) {
  const auto& [plan, task, device, wanted, free_bytes] = search;
  const auto legal = core::at_shape(at, at.dims, at.attributes);
  if (!legal) return legal.error().message;
  const auto cost = core::cost_of(*legal);
  if (!cost) return cost.error().message;
  if (cost->flops > kMostFlops || cost->bytes > kMostBytes)
    return core::describe_dims(*legal) + " is too much work";
  const auto unmet = core::unmet_requirement(plan, *legal, device);
  if (!unmet) return unmet.error().text();
  if (*unmet) return "not covered: " + core::describe_dims(*legal) + " requires " + **unmet;
  auto resolved = resolve(plan, *legal, device, wanted);
  if (!resolved) return "not served: " + core::describe_dims(*legal) + ": " + resolved.error().text();
  const std::int64_t needed = bytes_with_expected(*resolved) + kMargin;
  if (needed > free_bytes) {
    out.for_workspace = out.for_workspace || needed - workspace_bytes(*resolved) <= free_bytes;
    return core::describe_dims(*legal) + " needs " + gib_text(needed) + " of device memory, " +
           gib_text(free_bytes) + " are free";
  }
  out.shape = std::move(*resolved);
  return {};
}

void take_slow(LargeChoice& out, const core::Task& at, const std::string& reason) {
  if (out.why_none.empty()) out.why_none = reason;
  if (!out.shape) return;
  out.elements = largest_tensor(at);
  out.shape->may_be_slow = true;
  out.why_none.clear();
}

}  // namespace kgen::judge
