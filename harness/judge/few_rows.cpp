#include "harness/judge/few_rows.hpp"

#include <algorithm>
#include <vector>

namespace kgen::judge {
namespace {

constexpr std::int64_t kLongRow = 1 << 12, kEnoughRows = 8;
/// Of all further draws of a distribution at a shape together: what lies along the dims, and what the
/// reference does for it, in all and one step after the other.
constexpr std::int64_t kMostFurtherElements = 1 << 20, kMostFurtherOperations = 1ll << 31,
                       kMostFurtherSteps = 1 << 19;

struct Rows {
  std::int64_t length = 0;           ///< of the longest dim
  std::int64_t count = kEnoughRows;  ///< at most that
};

Rows rows_of(const core::Dims& dims) {
  std::vector<std::int64_t> extents;
  for (const auto& [name, extent] : dims) extents.push_back(extent);
  if (extents.empty()) return {};
  std::ranges::sort(extents);
  Rows rows{extents.back(), 1};
  extents.pop_back();
  for (const std::int64_t extent : extents)
    rows.count = std::min(rows.count * std::min(extent, kEnoughRows), kEnoughRows);
  return rows;
}

/// How often something that takes `each` fits in `most`.
std::int64_t times_in(std::int64_t most, std::int64_t each) {
  return most / std::max<std::int64_t>(each, 1);
}

}  // namespace

int draws_of(const core::Task& task, const core::DeviceFacts& device, const OracleCostModel& oracle) {
  const Rows rows = rows_of(task.dims);
  if (rows.length < kLongRow || rows.count == 0 || rows.count >= kEnoughRows) return 1;
  const auto cost = oracle.at(task, device);
  if (!cost || task.op->reference_cu.empty()) return 1;
  return static_cast<int>(
      1 + std::min({(kEnoughRows - 1) / rows.count, times_in(kMostFurtherElements, rows.length * rows.count),
                    times_in(kMostFurtherOperations, cost->operations),
                    times_in(kMostFurtherSteps, cost->steps)}));
}

}  // namespace kgen::judge
