#pragma once

#include "harness/judge/session.hpp"

// Shapes that take much memory or time.
namespace kgen::judge {

/// Whether a shape's buffers are given back as soon as its last case has run: all others stay.
bool runs_alone(const ShapeCase& shape);

/// Gives back what others hold where memory is short, or the shape runs alone. False: memory does not hold a
/// shape of the judge's own even so, which is said; or a workspace alone takes the room, which is a verdict.
Result<bool> makes_room(Session& session, const ShapeCase& shape);

/// After a time-out at a shape that may be slow: says so in place of the verdict, flags it
/// `long_shape_unfinished`, and starts a new process. How long a kernel takes for a dim of 2^24 says nothing
/// about whether it is right.
Result<bool> give_up(Session& session, std::size_t shape);

}  // namespace kgen::judge
