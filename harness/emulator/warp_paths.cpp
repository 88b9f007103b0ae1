#include "harness/emulator/warp_paths.hpp"

#include <cstring>

#include "harness/emulator/access.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/launch.hpp"

namespace kgen::emulator {
namespace {

constexpr U32 kMostCalls = 4096;

int free_join(Warp& warp) {
  for (std::size_t i = 0; i < warp.joins.size(); ++i) {
    if (!warp.joins[i].in_use) return static_cast<int>(i);
  }
  warp.joins.emplace_back();
  return static_cast<int>(warp.joins.size()) - 1;
}

int free_frame(Warp& warp) {
  for (std::size_t i = 0; i < warp.frames.size(); ++i) {
    if (!warp.frames[i].in_use) return static_cast<int>(i);
  }
  warp.frames.emplace_back();
  return static_cast<int>(warp.frames.size()) - 1;
}

Join& join_at(Warp& warp, int index) {
  return warp.joins[static_cast<std::size_t>(index)];
}
Frame& frame_at(Warp& warp, int index) {
  return warp.frames[static_cast<std::size_t>(index)];
}

void copy_parameters(Warp& warp, U32 lanes, U64 from_base, const std::vector<KernelParameter>& from,
                     U64 to_base, const std::vector<KernelParameter>& to) {
  for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
    const U64 bytes = std::min(from[i].bytes, to[i].bytes);
    for_lanes(lanes, [&](U32 lane) {
      const U64 source = lane * warp.local_bytes + from_base + from[i].offset;
      const U64 target = lane * warp.local_bytes + to_base + to[i].offset;
      std::memcpy(&warp.local[target], &warp.local[source], bytes);
      std::memcpy(&warp.local_written[target], &warp.local_written[source], bytes);
    });
  }
}

/// Whether the function is active in the chain of frames already.
bool recurs(Warp& warp, int frame, U32 callee) {
  for (; frame >= 0; frame = frame_at(warp, frame).caller) {
    if (warp.program->calls[frame_at(warp, frame).call].callee == callee) return true;
  }
  return false;
}

/// Gives the lanes back what the function's registers held before it was called again.
void restore_registers(Warp& warp, const Frame& frame, const DecodedFunction& callee, U32 lanes) {
  if (frame.saved.empty()) return;
  for (U32 i = callee.doubt_begin; i < callee.doubt_end && warp.doubt.any; ++i) {
    const U32 saved = frame.saved_doubt.empty() ? 0 : frame.saved_doubt[i - callee.doubt_begin];
    warp.doubt.masks[i] = (warp.doubt.masks[i] & ~lanes) | (saved & lanes);
  }
  for (const RegisterPlace& place : callee.registers) {
    const std::byte* const saved = frame.saved.data() + (place.slot - callee.registers_begin);
    if (place.bytes == 0) {
      U32 bits = 0;
      std::memcpy(&bits, saved, 4);
      warp.predicate(place.slot) = (warp.predicate(place.slot) & ~lanes) | (bits & lanes);
      continue;
    }
    for_lanes(lanes, [&](U32 lane) {
      std::memcpy(warp.registers + place.slot + lane * place.bytes, saved + lane * place.bytes, place.bytes);
    });
  }
}

/// The join has all it will get: its lanes go on.
void settle(Warp& warp, int index) {
  Join& join = join_at(warp, index);
  if (!join.in_use || join.pending != 0) return;
  const Join done = join;
  join.in_use = false;
  if (done.arrived == 0) return;
  Path path;
  path.pc = done.resume;
  path.mask = done.arrived;
  path.join = done.parent;
  path.frame = done.frame;
  warp.paths.push_back(path);
}

}  // namespace

int make_join(Warp& warp, const Path& path, U32 pc) {
  if (path.join >= 0) {
    const Join& around = join_at(warp, path.join);
    if (around.pc == pc && around.frame == path.frame) return path.join;
  }
  const int index = free_join(warp);
  join_at(warp, index) = {pc, pc, path.mask, 0, path.join, path.frame, true};
  return index;
}

void arrive_at_join(Warp& warp, int index, U32 lanes) {
  Join& join = join_at(warp, index);
  join.pending &= ~lanes;
  join.arrived |= lanes;
  settle(warp, index);
}

void leave_joins(Warp& warp, int index, U32 lanes, int last) {
  while (index >= 0 && index != last) {
    Join& join = join_at(warp, index);
    join.pending &= ~lanes;
    const int parent = join.parent;
    settle(warp, index);
    index = parent;
  }
}

bool release_waiting(Warp& warp, int index) {
  for (; index >= 0; index = join_at(warp, index).parent) {
    Join& join = join_at(warp, index);
    if (join.arrived == 0 || join.pc == kNever) continue;
    Path path;
    path.pc = join.resume;
    path.mask = join.arrived;
    path.join = join.parent;
    path.frame = join.frame;
    join.arrived = 0;
    warp.paths.push_back(path);
    return true;
  }
  return false;
}

bool release_all_waiting(Warp& warp) {
  bool any = false;
  for (std::size_t i = 0; i < warp.joins.size(); ++i) {
    if (warp.joins[i].in_use && warp.joins[i].arrived != 0)
      any = release_waiting(warp, static_cast<int>(i)) || any;
  }
  return any;
}

const DecodedFunction& function_of(const Warp& warp, int frame) {
  if (frame < 0) return *warp.block->launch->kernel;
  const U32 call = warp.frames[static_cast<std::size_t>(frame)].call;
  return warp.program->functions[warp.program->calls[call].callee];
}

void enter_call(Warp& warp, Path& path, const Instr& instr, U32 mask) {
  const auto call = static_cast<U32>(instr.imm);
  const CallSite& site = warp.program->calls[call];
  const DecodedFunction& callee = warp.program->functions[site.callee];
  const int join = free_join(warp);
  join_at(warp, join) = {kNever, path.pc + 1, mask, 0, path.join, path.frame, true};
  const int index = free_frame(warp);
  Frame& frame = frame_at(warp, index);
  const bool again = recurs(warp, path.frame, site.callee);
  const U32 depth = path.frame < 0 ? 1 : frame_at(warp, path.frame).depth + 1;
  const U64 caller_base = path.frame < 0 ? 0 : frame_at(warp, path.frame).base;
  const U64 caller_bytes = function_of(warp, path.frame).frame_bytes;
  frame = {call, path.frame, join, (caller_base + caller_bytes + 15) / 16 * 16, depth, {}, {}, true};
  if (again) {
    frame.saved.assign(warp.registers + callee.registers_begin, warp.registers + callee.registers_end);
    if (warp.doubt.any) {
      frame.saved_doubt.assign(warp.doubt.masks.begin() + callee.doubt_begin,
                               warp.doubt.masks.begin() + callee.doubt_end);
    }
  }
  if (depth > kMostCalls) {
    stop_at(warp, first_lane(mask), Diagnosis::Kind::fault, "stack_overflow",
            "more than " + std::to_string(kMostCalls) + " calls deep: a recursion without end");
  }
  reserve_local(warp, frame.base + callee.frame_bytes);
  for_lanes(mask, [&](U32 lane) {
    std::memset(&warp.local_written[lane * warp.local_bytes + frame.base], 0, callee.frame_bytes);
  });
  copy_parameters(warp, mask, caller_base, site.arguments, frame.base, callee.parameters);
  path.mask = mask;
  path.join = join;
  path.frame = index;
  path.pc = callee.begin;
}

void return_from_call(Warp& warp, Path& path, U32 lanes) {
  Frame& frame = frame_at(warp, path.frame);
  const CallSite& site = warp.program->calls[frame.call];
  const DecodedFunction& callee = warp.program->functions[site.callee];
  const U64 caller_base = frame.caller < 0 ? 0 : frame_at(warp, frame.caller).base;
  copy_parameters(warp, lanes, frame.base, callee.results, caller_base, site.results);
  const int join = frame.join;
  leave_joins(warp, path.join, lanes, join);
  Join& at = join_at(warp, join);
  if ((at.pending & ~lanes) == 0) {  // the last to return
    restore_registers(warp, frame, callee, lanes | at.arrived);
    frame.in_use = false;
    frame.saved = {};
  }
  arrive_at_join(warp, join, lanes);
}

void end_lanes(Warp& warp, const Path& path, U32 lanes) {
  warp.live &= ~lanes;
  for (Path& waiting : warp.paths) {  // perhaps for these lanes alone: they look again
    if (waiting.state == Path::State::at_sync) waiting.state = Path::State::ready;
  }
  leave_joins(warp, path.join, lanes, -1);
  recheck_barriers(*warp.block);
}

}  // namespace kgen::emulator
