#pragma once

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes of two kinds, each dim in turn with the others small:
/// - of every order of magnitude and every power of two that divides the extent and no more: a path for pairs
///   alone may hold less than its longest rows, which multiples of 4 and odd extents do not show;
/// - of extents by which a quotient through a float's reciprocal is wrong (41 / 41 is below 1), and
/// multiples.
void add_lengths(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                 const ShapeBudget& budget);

}  // namespace kgen::judge
