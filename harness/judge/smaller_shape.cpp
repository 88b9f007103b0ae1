#include "harness/judge/smaller_shape.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

constexpr int kPasses = 3;  ///< a dim may be free to shrink once another has (heads in groups)

/// Extents below `extent`, smallest first.
std::set<std::int64_t> worth_trying(const ShapeSources& from, const std::string& dim, std::int64_t extent) {
  std::set<std::int64_t> out = {1, from.task.op->min_dims.at(dim)};
  for (std::int64_t power = 2; power < extent; power *= 2) out.insert(power);
  for (std::int64_t part = from.task.dims.at(dim); part > 1; part /= 2) out.insert(part);
  const auto& listed = from.listed.at(dim);
  out.insert(listed.begin(), listed.end());
  const auto& plan = from.numbers.plan;
  out.insert(plan.begin(),
             plan.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(plan.size(), 32)));
  out.erase(out.begin(), out.lower_bound(1));
  out.erase(out.lower_bound(extent), out.end());
  return out;
}

bool lower_one(core::Dims& dims, const std::string& dim, const ShapeSources& from,
               const ShapePredicate& holds) {
  const std::int64_t before = dims.at(dim);
  const auto at = [&](std::int64_t extent) {
    core::Dims lowered = dims;
    lowered[dim] = extent;
    return holds(lowered);
  };
  std::int64_t refused = 0, taken = before;
  for (const std::int64_t extent : worth_trying(from, dim, before)) {
    if (at(extent)) {
      taken = extent;
      break;
    }
    refused = extent;
  }
  while (taken - refused > 1 && refused > 0) {
    const std::int64_t middle = refused + (taken - refused) / 2;
    (at(middle) ? taken : refused) = middle;
  }
  dims[dim] = taken;
  return taken < before;
}

}  // namespace

core::Dims smallest_where(const core::Dims& start, const std::set<std::string>& fixed,
                          const ShapeSources& from, const ShapePredicate& holds) {
  core::Dims dims = start;
  bool lowered = true;
  for (int pass = 0; pass < kPasses && lowered; ++pass) {
    lowered = false;
    for (const std::string& dim : from.task.op->dim_names) {
      if (!fixed.contains(dim) && lower_one(dims, dim, from, holds)) lowered = true;
    }
  }
  return dims;
}

}  // namespace kgen::judge
