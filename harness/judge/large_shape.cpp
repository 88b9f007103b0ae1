#include "harness/judge/large_shape.hpp"

#include <algorithm>

#include "core/judged_bytes.hpp"
#include "harness/judge/check_cases.hpp"
#include "harness/judge/oracle_cost.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/source_constants.hpp"
#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kTwo31 = std::int64_t{1} << 31;
constexpr std::int64_t kThresholds[] = {2 * kTwo31, kTwo31};
constexpr std::int64_t kSide = 46341;  ///< the least whole number whose square is above 2^31
constexpr std::int64_t kMostFlops =
    4'000'000'000'000;  ///< a naive fp64 reference takes a second or two for them
constexpr std::int64_t kMostBytes = 200'000'000'000;  ///< of the cost model
constexpr std::int64_t kLongestDim = std::int64_t{1} << 34;
constexpr std::int64_t kLargestGranule = std::int64_t{1} << 20;
constexpr std::int64_t kManyRows = 1024;                    ///< beside a dim that is stretched
constexpr std::int64_t kMostSteps = std::int64_t{1} << 20;  ///< of the reference, where inputs alone grow
/// The most that dims beside a stretched tensor's are, in turn; 0: as in the base. (Of one key all weights
/// are 1.)
constexpr std::int64_t kOthers[] = {16, 64, 128, 0, 1};
constexpr std::int64_t kMostStepsOfEntry = 4 * kMostSteps;  ///< a group of an image is a block's, say
constexpr std::int64_t kMargin = std::int64_t{1} << 30;     ///< left to the driver and the processes

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

/// The smallest extent of a dim with which `size` of the task is more than `threshold`; 0: none.
template <class Size>
std::int64_t stretched(const core::Task& task, const std::string& dim, std::int64_t threshold,
                       const Size& size) {
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

/// Whether the reference computes them in reasonable time.
bool is_quick(const core::Task& task, const core::DeviceFacts& device, std::int64_t most_steps = kMostSteps) {
  const auto oracle = OracleCostModel(*task.op).at(task, device);
  return oracle && oracle->operations <= kMostFlops && oracle->steps <= most_steps;
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

/// Of the dims that an extent mentions the longest by default (a side of an image, not of a filter).
std::string longest_dim(const core::Op& op, const util::Expr& extent) {
  std::string longest;
  for (const auto& [name, value] : op.default_dims)
    if (extent.mentions(name) && (longest.empty() || value > op.default_dims.at(longest))) longest = name;
  return longest;
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

/// Where the last part of one entry of a tensor's outermost axis begins: its last head, channel or row.
std::int64_t last_part_of(const core::Task& task, std::size_t tensor) {
  const auto tensors = core::tensors_of(task);
  if (!tensors) return 0;
  const auto& shape = (*tensors)[tensor].shape;
  std::int64_t offset = shape.at(1) - 1;
  for (std::size_t axis = 2; axis < shape.size(); ++axis)
    if (__builtin_mul_overflow(offset, shape[axis], &offset)) return INT64_MAX;
  return offset;
}

/// The base with one entry of the entry's tensor, and at most `others` of the dims that this tensor does not
/// have (0: as they are).
core::Task with_one_entry(core::Task base, const LargeEntry& entry, std::int64_t others) {
  const auto& shape = base.op->tensors[entry.tensor].shape;
  for (auto& [name, extent] : base.dims) {
    const auto mentions = [&](const util::Expr& axis) { return axis.mentions(name); };
    if (mentions(shape.front()))
      extent = 1;
    else if (others > 0 && std::none_of(shape.begin() + 1, shape.end(), mentions))
      extent = std::min(extent, others);
  }
  return base;
}

/// The tensors of three axes or more that grow with the entry's: of an image and what is pooled of it the
/// smaller has offsets of its own.
std::vector<std::size_t> tensors_of(const core::Op& op, const LargeEntry& entry) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < op.tensors.size(); ++i) {
    const auto& shape = op.tensors[i].shape;
    const auto mentions = [&](const util::Expr& axis) { return axis.mentions(entry.dim); };
    if (shape.size() >= 3 && !mentions(shape.front()) &&
        std::any_of(shape.begin() + 1, shape.end(), mentions))
      out.push_back(i);
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

/// The task's own shape and the op's check shapes, to be stretched.
std::vector<core::Task> bases_of(const core::Task& task) {
  std::vector<core::Task> out = {task};
  for (const auto& shape : task.op->check_shapes) {
    const auto at = core::at_shape(task, shape.dims, shape.attributes);
    if (at && largest_tensor(*at) >= 4096) out.push_back(*at);
  }
  return out;
}

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

/// What is looked for, and where.
struct LargeSearch {
  const core::LaunchPlan& plan;
  const core::Task& task;
  const core::DeviceFacts& device;
  const core::Variant& wanted;
  std::int64_t free_bytes;
  const std::string& other_than;
  Stretch stretch;
};

/// Why the plan was not asked to do this one; empty: the choice's shape is set.
std::string try_shape(const LargeSearch& search, const core::Task& at, LargeChoice& out) {
  const auto& [plan, task, device, wanted, free_bytes, other_than, stretch] = search;
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

/// What an extent is rounded up to, in turn: powers of two, and numbers that `requires` mentions.
std::vector<std::int64_t> granules_of(const core::LaunchPlan& plan) {
  std::vector<std::int64_t> out;
  for (std::int64_t power = 1; power <= kLargestGranule; power *= 2) out.push_back(power);
  for (const auto& requirement : plan.requirements) {
    for (const std::int64_t number : source_constants(requirement.text()))
      if (number <= kLargestGranule && out.size() < 64) out.push_back(number);
  }
  return out;
}

/// The dim stretched from one base until `requires` holds; else the first reason against it.
void stretch_dim(const LargeSearch& search, const core::Task& base, const std::string& dim,
                 std::int64_t threshold, const std::vector<std::int64_t>& granules, LargeChoice& out) {
  const std::int64_t extent = stretched(base, dim, threshold, largest_tensor);
  for (const std::int64_t granule : granules) {
    if (extent == 0 || out.shape) return;
    const auto at = with_extent(base, dim, (extent + granule - 1) / granule * granule);
    if (at && search.stretch == Stretch::inputs_alone && !may_grow(base, *at, search.device)) return;
    const std::string reason = at ? try_shape(search, *at, out) : "";
    out.dim = dim;
    if (out.why_none.empty()) out.why_none = reason;
  }
}

/// The first shape beyond the threshold that the plan serves and memory holds; else the first reason against
/// one.
LargeChoice first_served(const LargeSearch& search, std::int64_t threshold) {
  LargeChoice out;
  const auto granules = granules_of(search.plan);
  for (const core::Task& base : bases_of(search.task)) {
    const auto dims = dims_outermost_first(base, search.stretch);
    for (const std::string& dim : dims) {
      if (dim == search.other_than) continue;
      if (const auto many = with_many_rows(base, dim, dims))
        stretch_dim(search, *many, dim, threshold, granules, out);
      if (!out.shape) stretch_dim(search, base, dim, threshold, granules, out);
      if (out.shape) return out;
    }
  }
  if (out.why_none.empty()) out.why_none = "no dim of the op makes a tensor that large";
  return out;
}

/// The dim stretched until `size` is large and `requires` holds; else the first reason against it.
template <class Size>
void stretch_entry(const LargeSearch& search, const core::Task& start, const std::string& dim,
                   const Size& size, LargeChoice& out) {
  const std::int64_t extent = stretched(start, dim, kTwo31, size);
  for (const std::int64_t granule : granules_of(search.plan)) {
    if (extent == 0 || out.shape) return;
    const auto at = with_extent(start, dim, (extent + granule - 1) / granule * granule);
    if (!at) return;
    out.dim = dim;
    std::string reason = try_shape(search, *at, out);
    if (out.shape && !is_quick(*at, search.device, kMostStepsOfEntry)) {
      out.shape.reset();
      reason = core::describe_dims(*at) + " is too much work for the reference";
    }
    if (out.why_none.empty()) out.why_none = reason;
    if (!out.shape) continue;
    out.elements = largest_tensor(*at);
    out.shape->may_be_slow = true;
    out.why_none.clear();
  }
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
  const LargeSearch search = {plan, task, device, wanted, free_bytes, "", Stretch::outputs};
  LargeChoice out;
  for (const core::Task& base : bases_of(task)) {
    for (const auto& plane : planes_of(*task.op)) {
      for (const std::int64_t granule : granules_of(plan)) {
        const auto at = with_plane(base, plane, (kSide + granule - 1) / granule * granule);
        if (!at || largest_plane(*at) <= kTwo31) continue;
        out.dim = plane.first + ", " + plane.second;
        const std::string reason = try_shape(search, *at, out);
        if (out.why_none.empty()) out.why_none = reason;
        if (!out.shape) continue;
        out.elements = largest_tensor(*at);
        out.shape->may_be_slow = true;
        out.why_none.clear();
        return out;
      }
    }
  }
  return out;
}

std::vector<LargeEntry> large_entries(const core::Op& op) {
  std::vector<LargeEntry> out;
  for (std::size_t i = 0; i < op.tensors.size(); ++i) {
    const auto& shape = op.tensors[i].shape;
    if (shape.size() == 3 && op.tensors[i].role != core::Role::input) continue;  // a plane in each entry
    std::string longest;
    for (std::size_t axis = 1; axis + 1 < shape.size(); ++axis) {
      const std::string dim = longest_dim(op, shape[axis]);
      const bool is_free = !dim.empty() && !shape.front().mentions(dim) && shapes_an_output(op, dim);
      if (is_free && (longest.empty() || op.default_dims.at(dim) > op.default_dims.at(longest)))
        longest = dim;
    }
    if (!longest.empty() && std::ranges::find(out, longest, &LargeEntry::dim) == out.end())
      out.push_back({i, longest});
  }
  return out;
}

LargeChoice choose_large_entry(const core::LaunchPlan& plan, const core::Task& task,
                               const core::DeviceFacts& device, const core::Variant& wanted,
                               std::int64_t free_bytes, const LargeEntry& entry) {
  const LargeSearch search = {plan, task, device, wanted, free_bytes, "", Stretch::outputs};
  LargeChoice out;
  for (const auto& tensors : {tensors_of(*task.op, entry), std::vector<std::size_t>{entry.tensor}}) {
    const auto size = [&](const core::Task& at) {
      std::int64_t least = INT64_MAX;
      for (const std::size_t tensor : tensors) least = std::min(least, last_part_of(at, tensor));
      return least;
    };
    for (const core::Task& base : bases_of(task)) {
      for (const std::int64_t others : kOthers)
        stretch_entry(search, with_one_entry(base, entry, others), entry.dim, size, out);
      if (out.shape) return out;
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
    out = first_served({plan, task, device, wanted, free_bytes, other_than, stretch}, threshold);
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
