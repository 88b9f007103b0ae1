#include "harness/judge/sides_run_whole.hpp"

#include <algorithm>
#include <map>
#include <string>
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
Sides sides_of(const Session& session) {
  const PlanBranches branches(session.plan);
  Sides sides;
  for (std::size_t i = 0; i < session.shapes.size(); ++i) {
    const ShapeCase& shape = session.shapes[i];
    if (is_empty(shape.task)) continue;  // all steps are skipped
    for (const auto& side : branches.choices_of(shape.resolved))
      if (branches.is_decided_by_task(side.first, session.request.task)) sides[side].push_back(i);
  }
  return sides;
}

}  // namespace

std::set<std::size_t> sides_run_whole(const Session& session, const std::vector<std::int64_t>& work) {
  const auto distributions = static_cast<std::int64_t>(session.request.task.op->distributions.size());
  const auto is_whole = [&](std::size_t i) {
    return session.shapes[i].made.empty() && (!session.is_emulated() || work[i] <= kEmulatedWhole);
  };
  const auto cost = [&](std::size_t i) { return std::pair{!is_full(session.shapes[i].task.dims), work[i]}; };
  std::vector<std::vector<std::size_t>> open;  // the shapes of a side, the best first
  for (auto& [side, shapes] : sides_of(session)) {
    if (std::ranges::any_of(shapes, is_whole)) continue;
    std::ranges::stable_sort(shapes, {}, cost);
    open.push_back(std::move(shapes));
  }
  std::ranges::stable_sort(open, {}, [&](const auto& shapes) { return work[shapes.front()]; });
  std::set<std::size_t> chosen;
  std::int64_t left = kMostWork;
  for (const auto& shapes : open) {
    if (std::ranges::any_of(shapes, [&](std::size_t i) { return chosen.contains(i); })) continue;
    const auto fits = [&](std::size_t i) {
      return work[i] <= kEmulatedInPart && work[i] * distributions <= left;
    };
    const auto first = std::ranges::find_if(shapes, fits);
    if (first == shapes.end()) continue;
    left -= work[*first] * distributions;
    chosen.insert(*first);
  }
  return chosen;
}

}  // namespace kgen::judge
