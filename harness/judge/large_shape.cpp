#include "harness/judge/large_shape.hpp"

#include <algorithm>

#include "core/judged_bytes.hpp"
#include "harness/judge/check_cases.hpp"
#include "harness/judge/large_search.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kThresholds[] = {2 * kTwo31, kTwo31};
constexpr std::int64_t kSide = 46341;     ///< the least whole number whose square is above 2^31
constexpr std::int64_t kManyRows = 1024;  ///< beside a dim that is stretched

/// Dims of outputs (all dims where outputs have none), or those of inputs alone, in the order of the largest
/// tensor's, outermost first: what lies outside is most often independent work.
std::vector<std::string> dims_outermost_first(const core::Task& task, Stretch stretch) {
  const auto tensors = core::tensors_of(task);
  const core::Tensor* largest = nullptr;
  std::int64_t most = -1;
  for (std::size_t i = 0; tensors && i < tensors->size(); ++i) {
    if ((*tensors)[i].elements <= most) continue;
    most = (*tensors)[i].elements;
    largest = &task.op->tensors[i];
  }
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (task.dims.contains(name) && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (std::size_t i = 0; largest && i < largest->shape.size(); ++i) {
    for (const auto& name : largest->shape[i].names()) add(name);
  }
  for (const auto& name : task.op->dim_names) add(name);
  const auto summed = std::stable_partition(
      names.begin(), names.end(), [&](const auto& name) { return shapes_an_output(*task.op, name); });
  if (stretch == Stretch::inputs_alone)
    names.erase(names.begin(), summed);
  else if (summed != names.begin())
    names.erase(summed, names.end());
  return names;
}

/// The base with the outermost other dim that may be at a thousand or more; nothing where it is so already,
/// or none may.
std::optional<core::Task> with_many_rows(const core::Task& base, const std::string& dim,
                                         const std::vector<std::string>& outermost_first) {
  for (const std::string& other : outermost_first) {
    const std::int64_t extent = base.dims.at(other);
    if (other == dim || extent <= 0) continue;
    if (extent >= kManyRows) return std::nullopt;
    auto many = core::at_shape(base, {{other, (kManyRows + extent - 1) / extent * extent}}, {});
    if (many) return std::move(*many);
  }
  return std::nullopt;
}

/// Whether a dim of inputs alone may be stretched: results are counted, or take no more work than before (a
/// table, a pool). Longer sums would be exact in no distribution, and take a candidate's few threads as long
/// as they like. The reference must compute them in reasonable time.
bool may_grow(const core::Task& base, const core::Task& stretched, const core::DeviceFacts& device) {
  const bool is_whole = has_whole_outputs(*base.op, base.dtype);
  const auto before = core::cost_of(base), after = core::cost_of(stretched);
  if (!before || !after || (!is_whole && before->flops != after->flops)) return false;
  return is_quick(stretched, device);
}

/// Elements of the output's last two axes, of the one that has most there.
std::int64_t largest_plane(const core::Task& task) {
  const auto tensors = core::tensors_of(task);
  std::int64_t most = 0;
  for (std::size_t i = 0; tensors && i < tensors->size(); ++i) {
    const auto& shape = (*tensors)[i].shape;
    if ((*tensors)[i].role == core::Role::input || shape.size() < 2) continue;
    std::int64_t plane = 0;
    if (__builtin_mul_overflow(shape[shape.size() - 2], shape.back(), &plane)) plane = INT64_MAX;
    most = std::max(most, plane);
  }
  return most;
}

/// Of each output with a plane the dims of its last two axes; none where they are the same.
std::vector<std::pair<std::string, std::string>> planes_of(const core::Op& op) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const core::Tensor* tensor : op.outputs()) {
    const std::size_t axes = tensor->shape.size();
    if (axes < 2) continue;
    const std::string upper = longest_dim(op, tensor->shape[axes - 2]),
                      lower = longest_dim(op, tensor->shape[axes - 1]);
    if (!upper.empty() && !lower.empty() && upper != lower) out.emplace_back(upper, lower);
  }
  return out;
}

/// The base with this plane, and one of whatever else an output has.
std::optional<core::Task> with_plane(const core::Task& base, const std::pair<std::string, std::string>& plane,
                                     std::int64_t extent) {
  core::Dims dims;
  for (const auto& name : base.op->dim_names)
    if (shapes_an_output(*base.op, name)) dims[name] = 1;
  dims[plane.first] = dims[plane.second] = extent;
  auto out = core::at_shape(base, dims, {});
  return out ? std::optional(std::move(*out)) : std::nullopt;
}

/// The dim stretched from one base until `requires` holds; else the first reason against it.
void stretch_dim(const LargeSearch& search, Stretch stretch, const core::Task& base, const std::string& dim,
                 std::int64_t threshold, const std::vector<std::int64_t>& granules, LargeChoice& out) {
  const std::int64_t extent = stretched(base, dim, threshold, largest_tensor);
  for (const std::int64_t granule : granules) {
    if (extent == 0 || out.shape) return;
    const auto at = with_extent(base, dim, (extent + granule - 1) / granule * granule);
    if (at && stretch == Stretch::inputs_alone && !may_grow(base, *at, search.device)) return;
    const std::string reason = at ? try_shape(search, *at, out) : "";
    out.dim = dim;
    if (out.why_none.empty()) out.why_none = reason;
  }
}

/// The first shape beyond the threshold that the plan serves and memory holds; else the first reason against
/// one.
LargeChoice first_served(const LargeSearch& search, std::int64_t threshold, const std::string& other_than,
                         Stretch stretch) {
  LargeChoice out;
  const auto granules = granules_of(search.plan);
  for (const core::Task& base : bases_of(search.task)) {
    const auto dims = dims_outermost_first(base, stretch);
    for (const std::string& dim : dims) {
      if (dim == other_than) continue;
      if (const auto many = with_many_rows(base, dim, dims))
        stretch_dim(search, stretch, *many, dim, threshold, granules, out);
      if (!out.shape) stretch_dim(search, stretch, base, dim, threshold, granules, out);
      if (out.shape) return out;
    }
  }
  if (out.why_none.empty()) out.why_none = "no dim of the op makes a tensor that large";
  return out;
}

}  // namespace

std::string gib_text(std::int64_t bytes) {
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  const std::int64_t tenths =
      bytes <= 0 ? 0 : (bytes >> 30) * 10 + (((bytes & (kGib - 1)) * 10 + kGib - 1) >> 30);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

std::int64_t bytes_with_expected(const ShapeCase& shape) {
  return core::judged_bytes(shape.task).value_or(INT64_MAX / 2) + workspace_bytes(shape);
}

bool has_large_plane(const LargeChoice& choice) {
  return choice.shape && largest_plane(choice.shape->task) > kTwo31;
}

LargeChoice choose_large_plane(const core::LaunchPlan& plan, const core::Task& task,
                               const core::DeviceFacts& device, const core::Variant& wanted,
                               std::int64_t free_bytes) {
  const LargeSearch search = {plan, task, device, wanted, free_bytes};
  LargeChoice out;
  for (const core::Task& base : bases_of(task)) {
    for (const auto& plane : planes_of(*task.op)) {
      for (const std::int64_t granule : granules_of(plan)) {
        const auto at = with_plane(base, plane, (kSide + granule - 1) / granule * granule);
        if (!at || largest_plane(*at) <= kTwo31) continue;
        out.dim = plane.first + ", " + plane.second;
        const std::string reason = try_shape(search, *at, out);
        take_slow(out, *at, reason);
        if (out.shape) return out;
      }
    }
  }
  return out;
}

LargeChoice choose_large_shape(const core::LaunchPlan& plan, const core::Task& task,
                               const core::DeviceFacts& device, const core::Variant& wanted,
                               std::int64_t free_bytes, const std::string& other_than, Stretch stretch) {
  std::string why_not_larger;
  LargeChoice out;
  for (const std::int64_t threshold : kThresholds) {
    out = first_served({plan, task, device, wanted, free_bytes}, threshold, other_than, stretch);
    if (!out.shape) {
      why_not_larger = out.why_none;
      continue;
    }
    out.elements = largest_tensor(out.shape->task);
    out.shape->may_be_slow = stretch == Stretch::inputs_alone;
    out.why_none.clear();
    out.why_not_larger = why_not_larger;
    return out;
  }
  return out;
}

}  // namespace kgen::judge
