#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/resolved_plan.hpp"

namespace kgen::judge {

/// How many shapes the judge makes of its own, and what one may cost (flops plus bytes of the op's cost
/// model).
struct ShapeBudget {
  int shapes = 24;                            ///< beside those below
  int at_constants = 24;                      ///< at most, at and beside numbers of the candidate's file
  int at_powers = 24;                         ///< of these, not beyond so many at powers of two
  std::int64_t small_cost = 400'000;          ///< two of three: what the CPU reference does in milliseconds
  std::int64_t large_cost = 1ll << 26;        ///< the third
  std::int64_t beside_task_cost = 1ll << 30;  ///< the one beside the task's own shape
};
/// Of a promotion. Where no GPU runs them they are few and small.
ShapeBudget shape_budget(core::DeviceKind kind);

/// A shape that no list names.
struct MadeShape {
  core::Task task;
  std::string why;  ///< "near a constant of the file", "between check shapes", ...
};

/// Shapes of the judge's own inside the plan's `requires`, fresh for each seed and the same for the same
/// seed: near numbers that the file mentions, beside the task's own shape, beside and between the check
/// shapes, multiples, primes and random ones; of some candidates the one whose remainders and sizes are new.
/// Each is legal for the op and neither the task's own nor a check shape. Fewer than the budget says where
/// `requires` leaves few.
std::vector<MadeShape> made_shapes(const core::LaunchPlan& plan, std::string_view source,
                                   const core::Task& task, const core::DeviceFacts& device,
                                   const ShapeBudget& budget, std::uint64_t seed);

}  // namespace kgen::judge
