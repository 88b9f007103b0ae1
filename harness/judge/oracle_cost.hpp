#pragma once

#include <cstdint>
#include <optional>

#include "core/launch_plan.hpp"
#include "core/task.hpp"

namespace kgen::judge {

/// What reference.cu does to compute a task's expected values once.
struct OracleCost {
  std::int64_t operations =
      0;                   ///< at most INT64_MAX; for the op's cost model where the reference says nothing
  std::int64_t steps = 0;  ///< of these, what one thread does one after the other
};

/// Costs of an op's reference.cu. A reference that does much more than the op's cost model, or whose threads
/// are not all at work, says so in its plan: `"let": {"operations": "rows * cols * cols", "steps": "cols"}`.
class OracleCostModel {
 public:
  explicit OracleCostModel(const core::Op& op);

  /// Nothing where the reference cannot be resolved at the task. Products with a table `[gemm]` are the
  /// library's, which divides long sums: they have no steps.
  std::optional<OracleCost> at(const core::Task& task, const core::DeviceFacts& device) const;

 private:
  std::optional<core::LaunchPlan> plan_;  ///< none: the op has no reference.cu
};

}  // namespace kgen::judge
