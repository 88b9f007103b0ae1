#pragma once

#include <set>

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Threads of a block of each launch of the plan's defaults at the task.
std::set<std::int64_t> block_threads(const core::LaunchPlan& plan, const core::Task& task,
                                     const core::DeviceFacts& device);

/// Shapes with a dim just beyond what a block or a warp holds: its threads times a small number of the file
/// times a pack's width, and half of the threads more, at an odd extent and at whole packs. Where registers
/// hold 24 values of each of 192 threads and the guard takes the floor of the quotient
/// (`cols / 192 <= 24`), columns from 4609 to 4799 are wrong and no literal is near.
void add_products(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                  const ShapeBudget& budget, const core::LaunchPlan& plan, const core::DeviceFacts& device);

}  // namespace kgen::judge
