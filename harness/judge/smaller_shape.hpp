#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/judge/shape_draws.hpp"

namespace kgen::judge {

/// Whether a shape is still one that is looked for (and legal).
using ShapePredicate = std::function<bool(const core::Dims&)>;

/// Lowers one dim of `start` after the other to the smallest extent, of those worth trying (1, the op's
/// minimum, powers of two, extents of check shapes, parts of the task's own, numbers of the plan) and between
/// the last two tried, at which `holds`; dims in `fixed` stay. `holds` is true at `start`, and at what comes
/// back. No extent becomes 0.
core::Dims smallest_where(const core::Dims& start, const std::set<std::string>& fixed,
                          const ShapeSources& from, const ShapePredicate& holds);

}  // namespace kgen::judge
