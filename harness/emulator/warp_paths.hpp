#pragma once

#include "harness/emulator/warp.hpp"

namespace kgen::emulator {

/// Moves of lanes between paths and joins. A path that is spent is taken out by remove_path.

/// A join for the lanes of `path` at `pc`, or the one they have already if it is there. Index.
int make_join(Warp& warp, const Path& path, U32 pc);
/// Lanes of the path have come to their join's place.
void arrive_at_join(Warp& warp, int join, U32 lanes);
/// Lanes will not come to this join nor to those around it, up to (not including) `last`; -1: all of them.
void leave_joins(Warp& warp, int join, U32 lanes, int last);
/// Lets lanes that wait at the path's joins go on without the others, so that those that spin may see what
/// they do. False: none wait.
bool release_waiting(Warp& warp, int join);

/// The same for every join of the warp.
bool release_all_waiting(Warp& warp);

/// The function whose frame it is; of -1: the kernel.
const DecodedFunction& function_of(const Warp& warp, int frame);

void enter_call(Warp& warp, Path& path, const Instr& instr, U32 mask);
void return_from_call(Warp& warp, Path& path, U32 lanes);
void end_lanes(Warp& warp, const Path& path, U32 lanes);

}  // namespace kgen::emulator
