#pragma once

#include "harness/judge/made_shapes.hpp"
#include "harness/judge/shape_collection.hpp"
#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Shapes of which one dim is an odd number of whole tiles, three or more (of 4096 and 8192 one too): 96,
/// 768, 11008. Kernels that work in pairs of tiles, stage by stage or in rounds of packs go wrong at the last
/// one of these alone, and extents beside powers of two take their other path. The other dims are small, or
/// aligned too.
void add_tiled_extents(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                       const ShapeBudget& budget);

}  // namespace kgen::judge
