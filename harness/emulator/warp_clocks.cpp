#include <algorithm>

#include "harness/emulator/launch.hpp"
#include "harness/emulator/shadow.hpp"

// Who knows of whose work: ticks of warps and lanes (shadow.hpp).
namespace kgen::emulator {
namespace {

void raise(U32& tick, U32 to) {
  tick = std::max(tick, to);
}

void next_tick(Warp& warp) {
  if (++warp.tick > kMostTicks) {
    stop_at(warp, first_lane(warp.live), Diagnosis::Kind::timeout, "instructions",
            "a warp has synchronised " + std::to_string(kMostTicks) +
                " times: a loop that does not end, or far too much work");
  }
}

void find_safe_tick(Warp& warp) {
  U32 least = *std::min_element(std::begin(warp.last_sync), std::end(warp.last_sync));
  if (least > 0) --least;
  for (std::size_t i = 0; i < warp.seen.size(); ++i)
    if (i != warp.index) least = std::min(least, warp.seen[i]);
  warp.safe_tick = least;
}

/// What lanes that meet know of others by mbarriers, all of them know now.
void share_lanes(Warp& warp, U32 lanes) {
  LaneTicks known{};
  for (U32 other = 0; other < kLanes; ++other)
    for_lanes(lanes, [&](U32 lane) { raise(known[other], warp.lanes_seen[lane][other]); });
  for_lanes(lanes, [&](U32 lane) { warp.lanes_seen[lane] = known; });
}

/// Up to which tick a lane knows of another one of its warp.
U32 known_of(const Warp& warp, U32 lane, U32 other) {
  const U32 both = std::min(warp.last_sync[lane], warp.last_sync[other]);
  const U32 by_sync = both > 0 ? both - 1 : 0;
  return warp.lanes_seen.empty() ? by_sync : std::max(by_sync, warp.lanes_seen[lane][other]);
}

}  // namespace

void note_warp_sync(Warp& warp, U32 lanes) {
  next_tick(warp);
  for_lanes(lanes, [&](U32 lane) { warp.last_sync[lane] = warp.tick; });
  if (!warp.lanes_seen.empty()) share_lanes(warp, lanes);
  find_safe_tick(warp);
}

void note_fence(Warp& warp, bool of_block) {
  Launch& launch = *warp.block->launch;
  warp.fence_time = launch.time.fetch_add(1) + 1;
  if (!of_block) launch.block_fences[warp.block->number] = warp.fence_time;
  warp.has_fenced = true;
}

void note_release(Warp& warp, bool of_block) {
  Launch& launch = *warp.block->launch;
  warp.release_time = warp.fence_time;
  const U32 block = warp.block->number;
  if (!of_block) launch.block_releases[block] = launch.block_fences[block].load();
}

void note_acquire(Warp& warp, bool of_block) {
  Launch& launch = *warp.block->launch;
  warp.acquire_time = launch.time.fetch_add(1) + 1;
  if (!of_block) launch.block_acquires[warp.block->number] = warp.acquire_time;
}

void Clock::join(const Clock& other) {
  warps.resize(std::max(warps.size(), other.warps.size()), 0);
  for (std::size_t i = 0; i < other.warps.size(); ++i) raise(warps[i], other.warps[i]);
  for (const auto& [warp, ticks] : other.lanes) {
    LaneTicks& mine = lanes[warp];
    for (U32 lane = 0; lane < kLanes; ++lane) raise(mine[lane], ticks[lane]);
  }
}

void release_into(Warp& warp, Clock& clock) {
  clock.warps.resize(warp.seen.size(), 0);
  for (std::size_t i = 0; i < clock.warps.size(); ++i) raise(clock.warps[i], warp.seen[i]);
  raise(clock.warps[warp.index], warp.tick);
  next_tick(warp);
}

void release_lanes_into(Warp& warp, U32 lanes, Clock& clock) {
  LaneTicks& ticks = clock.lanes[warp.index];
  for (U32 other = 0; other < kLanes; ++other) {
    if ((lanes >> other & 1) != 0) {
      raise(ticks[other], warp.tick);
    } else {
      for_lanes(lanes, [&](U32 lane) { raise(ticks[other], known_of(warp, lane, other)); });
    }
  }
  release_into(warp, clock);
}

void acquire_from(Warp& warp, U32 lanes, const Clock& clock) {
  for (std::size_t i = 0; i < clock.warps.size(); ++i) raise(warp.seen[i], clock.warps[i]);
  if (const auto own = clock.lanes.find(warp.index); own != clock.lanes.end()) {
    warp.lanes_seen.resize(kLanes);
    for (U32 other = 0; other < kLanes; ++other)
      for_lanes(lanes, [&](U32 lane) { raise(warp.lanes_seen[lane][other], own->second[other]); });
  }
  warp.has_fenced = false;
  note_warp_sync(warp, lanes);
}

}  // namespace kgen::emulator
