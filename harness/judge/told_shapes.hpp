#pragma once

#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Why there is such a shape.
inline constexpr const char* kToldShape = "one dim long beside dims of two";

/// Each dim just beyond 2^16 beside dims of two elements, those first that indices are below, within
/// `budget.told_cost` and `told_elements`: a row of one value has the softmax of any other, and a table of
/// one row no other index, so that a place taken for another does not show where all other dims are one.
/// Where that is too dear or the plan does not serve it, with the attributes of a check shape (of k places
/// one), and then beyond the next lower power of two, down to 2^11. They come last, take no room from others,
/// and meet the first distribution; none of products (ShapeBudget::long_products).
void add_told_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                      const ShapeBudget& budget);

}  // namespace kgen::judge
