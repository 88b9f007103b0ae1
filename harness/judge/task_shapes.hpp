#pragma once

#include <optional>
#include <string>

#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes of the task's own order of magnitude, within `budget.task_order_cost` together: its dims with each
/// other attribute, one shape beside it, and each dim doubled and halved. Where `requires` is narrow these
/// may be all that there is.
void add_task_order(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                    const ShapeBudget& budget);

/// Each dim alone at an extent just beyond each of `budget.long_extents`, the others as small as may be: what
/// counts in 16 bits or in a float, or holds a row in registers, loses count there.
void add_long_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                      const ShapeBudget& budget);

/// Whether dense matrix products are part of the work: their kernels take several dims in tiles.
bool has_products(const core::Task& task);

/// Whether an output's extents name the dim. One that none does is most often summed over: to stretch it
/// makes the same few results long to compute.
bool shapes_an_output(const core::Op& op, const std::string& dim);

/// The smallest shape inside `requires` that has this extent (the op's other dims are lowered from the task's
/// or a check shape's); nothing where none of these with that extent is legal.
std::optional<core::Task> smallest_with(const ShapeCollection& known, const ShapeSources& from,
                                        const std::string& dim, std::int64_t extent,
                                        const core::Attributes& attributes);

/// The same at the extent, or at the next multiple of a power of two or of a number of the plan at which the
/// rest is legal.
std::optional<core::Task> smallest_from(const ShapeCollection& known, const ShapeSources& from,
                                        const std::string& dim, std::int64_t extent,
                                        const core::Attributes& attributes);

}  // namespace kgen::judge
