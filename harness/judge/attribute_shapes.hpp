#pragma once

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes whose whole-number attributes, of those that the op's rules name, are such as no check shape and no
/// range in op.toml has: beyond numbers of the file (a kernel that keeps 256 results fails from k = 257 on),
/// and of any order of magnitude. Each dim in turn is longer than the attribute or a multiple of it: a window
/// as long as the row shows as little as a group of one element.
void add_other_attributes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                          const ShapeBudget& budget);

}  // namespace kgen::judge
