#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/launch_plan.hpp"
#include "core/resolved_plan.hpp"
#include "core/task.hpp"

namespace kgen::judge {

/// A choice and the way that it goes.
using Branch = std::pair<std::string, bool>;

/// "BIG is 0", "STAGES = 4", "`split > 1` holds", "step 2 runs".
std::string branch_text(const Branch& branch);
/// Whether the choice is a value of a tunable.
bool is_of_a_tunable(const std::string& choice);
/// Whether it is which operand a min or a max takes.
bool is_of_operands(const std::string& choice);

/// What a plan decides from shape to shape. A choice is "step 2" (whether it is active), "BIG" (whether a
/// define that compares something is other than 0), "STAGES = 4" (whether a tunable that a constraint ties to
/// the task has that value), "condition split > 1" (whether it holds) or "operands rows < 65535" (the same,
/// of two operands of a min or a max).
class PlanBranches {
 public:
  /// `plan` must outlive it.
  explicit PlanBranches(const core::LaunchPlan& plan);

  /// The way that each choice goes in a resolved plan, conditions left out.
  std::map<std::string, bool> branches_of(const core::ResolvedPlan& resolved) const;
  /// These and the conditions.
  std::map<std::string, bool> choices_of(const core::ResolvedPlan& resolved) const;

  /// Whether a choice depends on a dim, an attribute or a tensor's extents; else it is the same at all
  /// shapes.
  bool is_decided_by_task(const std::string& choice, const core::Task& task) const;
  bool depends_on(const std::string& choice, const std::string& name) const;
  /// The dims that a choice depends on, all where it depends on none, with their extents at a task.
  core::Dims deciding_dims(const std::string& choice, const core::Task& task) const;
  /// Whether these are others than at the task; where it depends on none, or all, whether the tasks differ at
  /// all.
  bool is_decided_elsewhere(const std::string& choice, const core::Task& task, const core::Task& other) const;

 private:
  const core::LaunchPlan& plan_;
  std::set<std::string> tied_tunables_;
  std::map<std::string, std::set<std::string>> names_;  ///< of each choice: what it depends on
};

}  // namespace kgen::judge
