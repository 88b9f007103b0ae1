#pragma once

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes that cross how dims divide (small, odd, multiples of 8, of 64) with one another and with
/// attributes: a tile's fast path may be wrong where it meets a mask, a transposed operand, or another dim
/// that its condition forgot. One to three dims at a time are long, the others small. Of many draws those are
/// taken that have new pairs and triples; where the op has attributes each of these has one of them.
void add_crossed_shapes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                        const ShapeBudget& budget);

}  // namespace kgen::judge
