#include "harness/judge/told_shapes.hpp"

#include <algorithm>

#include "harness/judge/task_shapes.hpp"

namespace kgen::judge {
namespace {

constexpr std::int64_t kLongest = 1 << 16, kShortest = 1 << 11;
constexpr std::int64_t kTold = 2;  ///< enough: of many places behind a round number half show
constexpr std::int64_t kPlaces = 64;
constexpr int kDistributions = 1;

/// Dims in the order in which they are worth a second element: those that indices are below, then from the
/// innermost.
std::vector<std::string> order_of(const core::Op& op) {
  std::vector<std::string> order(op.dim_names.rbegin(), op.dim_names.rend());
  std::ranges::stable_partition(order, [&](const auto& name) { return chooses_rows(op, name); });
  return order;
}

/// The shape with two in place of one where that is legal, new and not too dear, or as it is where no other
/// dim is one; else nothing.
std::optional<core::Task> with_told_places(const ShapeCollection& known, const core::Task& smallest,
                                           const std::string& dim, const ShapeBudget& budget) {
  std::optional<core::Task> out;
  core::Dims dims = smallest.dims;
  for (const std::string& name : order_of(*smallest.op)) {
    if (name == dim || dims.at(name) != 1) continue;
    dims[name] = kTold;
    auto told = known.accept(dims, smallest.attributes, budget.told_cost);
    if (told && budget.is_told(*told))
      out = std::move(told);
    else
      dims[name] = 1;
  }
  const bool was_told = std::ranges::all_of(
      smallest.dims, [&](const auto& one) { return one.first == dim || one.second != 1; });
  if (was_told && budget.is_told(smallest))
    out = known.accept(smallest.dims, smallest.attributes, budget.told_cost);
  return out;
}

/// What replaces the task's attributes at check shapes, each once; nothing first.
std::vector<core::Attributes> attributes_once(const ShapeSources& from) {
  std::vector<core::Attributes> out;
  for (const core::Attributes& one : from.attributes)
    if (std::ranges::find(out, one) == out.end()) out.push_back(one);
  return out;
}

void add_told_extent(ShapeCollection& out, const ShapeSources& from, const std::string& dim,
                     std::int64_t behind, const ShapeBudget& budget) {
  const auto choices = attributes_once(from);
  for (std::int64_t beyond = kLongest; beyond >= kShortest; beyond /= 2) {
    for (const core::Attributes& attributes : choices) {
      const auto smallest = smallest_from(out, from, dim, beyond + behind, attributes);
      if (!smallest) continue;
      if (!budget.long_products && has_products(*smallest)) return;
      auto told = with_told_places(out, *smallest, dim, budget);
      if (!told) continue;
      out.add_beside(std::move(*told), kToldShape, kDistributions);
      out.made.shapes.back().lenient = true;
      out.made.shapes.back().may_be_slow = true;  // nor does it stand for a branch of the plan
      return;
    }
  }
}

}  // namespace

void add_told_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                      const ShapeBudget& budget) {
  const auto& names = from.task.op->dim_names;
  if (names.size() < 2) return;
  const std::size_t first = draws.upto(names.size()), before = out.count();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (out.count() - before >= static_cast<std::size_t>(budget.told_dims)) return;
    add_told_extent(out, from, names[(first + i) % names.size()],
                    kPlaces + 2 * static_cast<std::int64_t>(draws.upto(400)) + 1, budget);
  }
}

}  // namespace kgen::judge
