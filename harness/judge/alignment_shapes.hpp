#pragma once

#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes at which a small extent divides by a power of two (1 to 32) and not by the next, where no check
/// shape inside `requires` and no shape made so far has that for the dim: a kernel that claims multiples of 4
/// and works in eights errs there alone. Small powers first, at most `budget.alignments` shapes.
void add_missing_alignments(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                            const ShapeBudget& budget);

}  // namespace kgen::judge
