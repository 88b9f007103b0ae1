#include "harness/judge/sides_run_whole.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/plan_branches.hpp"
#include "harness/judge/shape_collection.hpp"

namespace kgen::judge {
namespace {

/// Elements times distributions that all such shapes together may have: some seconds.
constexpr std::int64_t kMostWork = 8 << 20;

using Sides = std::map<std::pair<std::string, bool>, std::vector<std::size_t>>;

/// The shapes that take each side of what shapes decide.
Sides sides_of(const core::LaunchPlan& plan, const std::vector<ShapeCase>& shapes) {
  const PlanBranches branches(plan);
  Sides sides;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (is_empty(shapes[i].task)) continue;  // all steps are skipped
    for (const auto& side : branches.choices_of(shapes[i].resolved))
      if (branches.is_decided_by_task(side.first, shapes.front().task)) sides[side].push_back(i);
  }
  return sides;
}

}  // namespace

std::set<std::size_t> sides_run_whole(const core::LaunchPlan& plan, const std::vector<ShapeCase>& shapes,
                                      const std::vector<std::int64_t>& work, core::DeviceKind device) {
  const core::Task& task = shapes.front().task;
  const auto distributions = static_cast<std::int64_t>(task.op->distributions.size());
  const auto is_whole = [&](std::size_t i) {
    return shapes[i].made.empty() && (device == core::DeviceKind::cuda || work[i] <= kEmulatedWhole);
  };
  const auto cost = [&](std::size_t i) {
    const core::Task& at = shapes[i].task;
    return std::tuple{!is_full(at.dims), at.attributes != task.attributes, work[i]};
  };
  std::vector<std::vector<std::size_t>> open;  // those that take a side, the best first
  for (auto& [side, takers] : sides_of(plan, shapes)) {
    if (std::ranges::any_of(takers, is_whole)) continue;
    std::ranges::stable_sort(takers, {}, cost);
    open.push_back(std::move(takers));
  }
  std::ranges::stable_sort(open, {}, [&](const auto& takers) { return work[takers.front()]; });
  std::set<std::size_t> chosen;
  std::int64_t left = kMostWork;
  for (const auto& takers : open) {
    if (std::ranges::any_of(takers, [&](std::size_t i) { return chosen.contains(i); })) continue;
    const auto fits = [&](std::size_t i) {
      return work[i] <= kEmulatedInPart && work[i] * distributions <= left;
    };
    const auto first = std::ranges::find_if(takers, fits);
    if (first == takers.end()) continue;
    left -= work[*first] * distributions;
    chosen.insert(*first);
  }
  return chosen;
}

}  // namespace kgen::judge
