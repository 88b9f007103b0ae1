#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "harness/judge/session.hpp"

namespace kgen::judge {

/// Shapes, by index, that are to meet every distribution on the emulator though they are long, or of the
/// judge's own: of each side of the plan's choices that no other shape takes the one of least work, if there
/// is one without a dim of 1. A path for long rows alone may be wrong for values that few distributions have.
/// `work`: elements of each shape. Within a budget of elements times distributions, the least work first.
std::set<std::size_t> sides_run_whole(const Session& session, const std::vector<std::int64_t>& work);

}  // namespace kgen::judge
