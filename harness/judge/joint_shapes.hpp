#pragma once

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes with small values of several attributes at once, and of dims that are as small (a filter's):
/// windows of two at steps of two without an edge, five by five at steps of two. Kernels have paths of their
/// own for such, and the other dims are multiples of nothing there. Of many draws those are taken that have
/// new pairs and triples of values. None where the op has fewer than two such attributes and dims, or no
/// attribute.
void add_joint_attributes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                          const ShapeBudget& budget);

/// The same where one other dim is 32 or 64 wide, and where all others are multiples of eight.
void add_roomy_attributes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                          const ShapeBudget& budget);

}  // namespace kgen::judge
