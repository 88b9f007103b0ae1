#include "harness/judge/branches_run_whole.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/emulated_work.hpp"
#include "harness/judge/shape_collection.hpp"

namespace kgen::judge {
namespace {

using Indices = std::vector<std::size_t>;

class Selection {
 public:
  Selection(const core::LaunchPlan& plan, const std::vector<ShapeCase>& shapes,
            const std::vector<std::int64_t>& work, core::DeviceKind device)
      : branches_(plan),
        shapes_(shapes),
        work_(work),
        task_(shapes.front().task),
        is_emulated_(device == core::DeviceKind::emulator),
        budget_(shape_budget(device)),
        distributions_(static_cast<std::int64_t>(task_.op->distributions.size())) {
    for (const ShapeCase& shape : shapes) elements_.push_back(emulated_elements(shape.task));
  }

  BranchesRunWhole run() {
    std::vector<Open> open;
    for (const auto& [branch, takers] : takers_of_branches()) {
      Open one{branch, std::ranges::any_of(takers, [&](std::size_t i) { return is_whole(i); }), {}};
      std::ranges::copy_if(takers, std::back_inserter(one.takers),
                           [&](std::size_t i) { return may_be_whole(i); });
      std::ranges::stable_sort(one.takers, {}, [&](std::size_t i) { return rank(i); });
      if (!is_closed(takers, one.takers)) open.push_back(std::move(one));
    }
    const auto least = [&](const Open& one) {
      return one.takers.empty() ? 0 : elements_[one.takers.front()];
    };
    std::ranges::stable_sort(open, {}, least);
    for (const Open& one : open)
      if (!choose(one.takers) && !one.is_met) out_.left_out.push_back(one.branch);
    return std::move(out_);
  }

 private:
  struct Open {
    Branch branch;
    bool is_met;     ///< by every distribution, at a listed shape that is thin or has other attributes
    Indices takers;  ///< that may be chosen, the best first
  };

  /// The shapes that take each branch that shapes decide.
  std::map<Branch, Indices> takers_of_branches() const {
    std::map<Branch, Indices> takers;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (is_empty(shapes_[i].task) || shapes_[i].is_aside) continue;  // all steps are skipped
      for (const auto& branch : branches_.choices_of(shapes_[i].resolved))
        if (branches_.is_decided_by_task(branch.first, task_)) takers[branch].push_back(i);
    }
    return takers;
  }

  bool has_other_attributes(std::size_t i) const { return shapes_[i].task.attributes != task_.attributes; }

  /// Doublings of the longest dim: what a sum is granted grows with it. Nothing on the emulator, where time
  /// decides.
  int length_class(std::size_t i) const {
    std::int64_t longest = 0;
    for (const auto& [name, extent] : shapes_[i].task.dims) longest = std::max(longest, extent);
    return is_emulated_ ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest)));
  }
  std::tuple<std::int64_t, bool, int, std::int64_t> rank(std::size_t i) const {
    return {count_thin(shapes_[i].task.dims), has_other_attributes(i), length_class(i), elements_[i]};
  }
  std::pair<bool, bool> flaws(std::size_t i) const {
    return {!is_full(shapes_[i].task.dims), has_other_attributes(i)};
  }

  bool is_whole(std::size_t i) const {
    return shapes_[i].made.empty() && (!is_emulated_ || work_[i] <= kEmulatedWhole);
  }
  bool may_be_whole(std::size_t i) const {
    return elements_[i] <= budget_.whole_elements && !shapes_[i].may_be_slow &&
           !(is_emulated_ && work_[i] > kEmulatedOnce) &&
           steps_of_attributes(task_, shapes_[i].task) <= kManySteps;
  }

  /// Whether a listed shape meets every distribution already, and none that may is better.
  bool is_closed(const Indices& takers, const Indices& small) const {
    return std::ranges::any_of(takers, [&](std::size_t listed) {
      return is_whole(listed) &&
             std::ranges::none_of(small, [&](std::size_t i) { return flaws(i) < flaws(listed); });
    });
  }

  bool choose(const Indices& takers) {
    if (std::ranges::any_of(takers, [&](std::size_t i) { return out_.shapes.contains(i); })) return true;
    const auto first = std::ranges::find_if(
        takers, [&](std::size_t i) { return elements_[i] * distributions_ <= budget_.whole_total - taken_; });
    if (first == takers.end()) return false;
    taken_ += elements_[*first] * distributions_;
    out_.shapes.insert(*first);
    return true;
  }

  PlanBranches branches_;
  const std::vector<ShapeCase>& shapes_;
  const std::vector<std::int64_t>& work_;
  const core::Task& task_;
  bool is_emulated_;
  ShapeBudget budget_;
  std::int64_t distributions_;
  std::vector<std::int64_t> elements_;
  std::int64_t taken_ = 0;  ///< elements times distributions
  BranchesRunWhole out_;
};

}  // namespace

BranchesRunWhole branches_run_whole(const core::LaunchPlan& plan, const std::vector<ShapeCase>& shapes,
                                    const std::vector<std::int64_t>& work, core::DeviceKind device) {
  return Selection(plan, shapes, work, device).run();
}

}  // namespace kgen::judge
