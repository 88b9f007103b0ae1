#include <algorithm>

#include "harness/judge/large_search.hpp"
#include "harness/judge/task_shapes.hpp"

// Shapes at which one entry of a tensor's outermost axis is large.
namespace kgen::judge {
namespace {

/// The most that dims beside a stretched tensor's are, in turn; 0: as in the base. (Of one key all weights
/// are 1.)
constexpr std::int64_t kOthers[] = {16, 64, 128, 0, 1};
constexpr std::int64_t kMostStepsOfEntry = 4 * kMostSteps;  ///< a group of an image is a block's, say

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
std::vector<std::size_t> tensors_with(const core::Op& op, const LargeEntry& entry) {
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

/// The dim stretched until `size` is large and `requires` holds; else the first reason against it.
void stretch_entry(const LargeSearch& search, const core::Task& start, const std::string& dim,
                   const std::vector<std::int64_t>& granules,
                   const std::function<std::int64_t(const core::Task&)>& size, LargeChoice& out) {
  const std::int64_t extent = stretched(start, dim, kTwo31, size);
  for (const std::int64_t granule : granules) {
    if (extent == 0 || out.shape) return;
    const auto at = with_extent(start, dim, (extent + granule - 1) / granule * granule);
    if (!at) return;
    out.dim = dim;
    std::string reason = try_shape(search, *at, out);
    if (out.shape && !is_quick(*at, search.device, kMostStepsOfEntry)) {
      out.shape.reset();
      reason = core::describe_dims(*at) + " is too much work for the reference";
    }
    take_slow(out, *at, reason);
  }
}

}  // namespace

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
  const LargeSearch search = {plan, task, device, wanted, free_bytes};
  const auto granules = granules_of(plan);
  LargeChoice out;
  for (const auto& tensors : {tensors_with(*task.op, entry), std::vector<std::size_t>{entry.tensor}}) {
    const auto size = [&](const core::Task& at) {
      std::int64_t least = INT64_MAX;
      for (const std::size_t tensor : tensors) least = std::min(least, last_part_of(at, tensor));
      return least;
    };
    for (const core::Task& base : bases_of(task)) {
      for (const std::int64_t others : kOthers)
        stretch_entry(search, with_one_entry(base, entry, others), entry.dim, granules, size, out);
      if (out.shape) return out;
    }
  }
  return out;
}

}  // namespace kgen::judge
