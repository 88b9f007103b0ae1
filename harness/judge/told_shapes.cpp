#include "harness/judge/told_shapes.hpp"

#include <algorithm>

#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"
#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kLongest = 1 << 16, kShortest = 1 << 11;
constexpr std::int64_t kTold = 2;  ///< enough: of many places behind a round number half show
/// Where indices choose: two counts of many are alike by chance, once in thirty times.
constexpr std::int64_t kToldRows = 5;
constexpr std::int64_t kPlaces = 64;

/// Whether indices are below the dim.
bool bounds_indices(const core::Op& op, const std::string& dim) {
  return std::ranges::any_of(
      op.tensors, [&](const core::Tensor& tensor) { return !tensor.ends && tensor.below.mentions(dim); });
}

/// Dims in the order in which they are worth a second element: those that indices are below, then from the
/// innermost.
std::vector<std::string> order_of(const core::Op& op) {
  std::vector<std::string> order(op.dim_names.rbegin(), op.dim_names.rend());
  std::ranges::stable_partition(order, [&](const auto& name) { return bounds_indices(op, name); });
  return order;
}

std::optional<core::Task> affordable(const ShapeCollection& known, const core::Dims& dims,
                                     const core::Attributes& attributes, const ShapeBudget& budget) {
  auto task = known.accept(dims, attributes, budget.told_cost);
  return task && budget.is_told(*task) ? std::move(task) : std::nullopt;
}

/// The shape with more in place of one where that is legal, new and not too dear, or as it is where no other
/// dim is one; else nothing.
std::optional<core::Task> with_told_places(const ShapeCollection& known, const core::Task& smallest,
                                           const std::string& dim, const ShapeBudget& budget) {
  const bool is_told = std::ranges::all_of(
      smallest.dims, [&](const auto& one) { return one.first == dim || one.second != 1; });
  if (is_told) return affordable(known, smallest.dims, smallest.attributes, budget);
  std::optional<core::Task> out;
  core::Dims dims = smallest.dims;
  for (const std::string& name : order_of(*smallest.op)) {
    if (name == dim || dims.at(name) != 1) continue;
    for (const std::int64_t extent : {bounds_indices(*smallest.op, name) ? kToldRows : kTold, kTold}) {
      dims[name] = extent;
      auto told = affordable(known, dims, smallest.attributes, budget);
      if (told) {
        out = std::move(told);
        break;
      }
      dims[name] = 1;
    }
  }
  return out;
}

void add_told_extent(ShapeCollection& out, const ShapeSources& from, const std::string& dim,
                     std::int64_t behind, const ShapeBudget& budget) {
  const auto choices = attributes_once(from);
  for (std::int64_t beyond = kLongest; beyond >= kShortest; beyond /= 2) {
    for (const core::Attributes& attributes : choices) {
      const auto smallest = smallest_from(out, from, dim, beyond + behind, attributes);
      if (!smallest) continue;
      auto told = with_told_places(out, *smallest, dim, budget);
      if (!told) continue;
      out.add_aside(std::move(*told), "one dim long beside dims of two");
      out.made.shapes.back().may_be_slow = budget.told_may_be_slow;
      return;
    }
  }
}

}  // namespace

MadeShapes told_shapes(const core::LaunchPlan& plan, std::string_view source, const core::DeviceFacts& device,
                       const std::vector<ShapeCase>& known, const ShapeBudget& budget, std::uint64_t seed) {
  if (known.empty()) return {};
  const core::Task& task = known.front().task;
  const auto& names = task.op->dim_names;
  if (names.size() < 2 || (!budget.long_products && has_products(task))) return {};
  const ShapeSources from(source, task);
  ShapeDraws draws(seed ^ 0x746f6c64);
  ShapeCollection out(plan, task, device, budget);
  for (const ShapeCase& shape : known) out.know(shape.task);
  const std::size_t first = draws.upto(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& dim = names[(first + i) % names.size()];
    const std::int64_t behind = kPlaces + 2 * static_cast<std::int64_t>(draws.upto(400)) + 1;
    if (out.count() >= static_cast<std::size_t>(budget.told_dims)) break;
    if (!out.is_compiled_in(dim)) add_told_extent(out, from, dim, behind, budget);
  }
  return std::move(out.made);
}

}  // namespace kgen::judge
