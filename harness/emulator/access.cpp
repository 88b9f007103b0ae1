#include "harness/emulator/access.hpp"

#include <algorithm>
#include <cstring>

#include "harness/emulator/access_spaces.hpp"
#include "harness/emulator/access_stops.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/doubt.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/written_marks.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

constexpr U64 kMostLocalBytes = U64{512} << 10;

void access_local(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                  const Values& values) {
  static const std::string kName = "local memory";
  for_lanes(mask, [&](U32 lane) {
    const U64 offset = addresses[lane];
    if (offset + access.bytes > warp.frame_end || offset > warp.frame_end) {
      stop_bounds(warp, lane, access, "local", offset, static_cast<I64>(offset), warp.frame_end, kName);
    }
    if ((offset & (access.bytes - 1)) != 0) check_alignment(warp, lane, access, offset, kName);
    const U64 at = lane * warp.local_bytes + offset;
    places[lane] = warp.local.data() + at;
    U8* const marks = warp.local_written.data() + at;
    if (access.use != Use::write && !all_written(marks, access.bytes))
      meet_unwritten(warp, lane, access, offset, static_cast<I64>(offset), kName, "local", marks);
    if (access.use != Use::read) mark_written(marks, access.bytes);
    if (values.first != nullptr) std::memcpy(places[lane], values.of(lane), access.bytes);
  });
}

void access_param(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places) {
  static const std::string kName = "the kernel's parameters";
  auto& parameters = warp.block->launch->parameters;
  for_lanes(mask, [&](U32 lane) {
    const U64 offset = addresses[lane];
    if (offset + access.bytes > parameters.size() || offset > parameters.size()) {
      stop_bounds(warp, lane, access, "param", offset, static_cast<I64>(offset), parameters.size(), kName);
    }
    if (access.use != Use::read) {
      stop_access(warp, lane, Kind::fault, "illegal_address", offset, kName,
                  "writes to the kernel's parameters");
    }
    places[lane] = parameters.data() + offset;
  });
}

/// Lanes by the window their generic address is in, each in the addresses of its space.
Layout access_generic(Warp& warp, Access access, const Addresses& addresses, U32 mask, Places& places,
                      const Values& values) {
  struct Window {
    U64 base;
    ptx::Space space;
  };
  constexpr Window kWindows[] = {{kSharedWindow, ptx::Space::shared},
                                 {kLocalWindow, ptx::Space::local},
                                 {kParamWindow, ptx::Space::param}};
  Addresses moved;
  U32 left = mask;
  for (const Window& window : kWindows) {
    U32 inside = 0;
    for_lanes(left, [&](U32 lane) {
      if (slot_of(addresses[lane]) != slot_of(window.base)) return;
      moved[lane] = addresses[lane] - window.base;
      inside |= 1u << lane;
    });
    access.space = window.space;
    if (inside == mask) return access_memory(warp, access, moved, inside, places, values);
    if (inside != 0) access_memory(warp, access, moved, inside, places, values);
    left &= ~inside;
  }
  access.space = ptx::Space::global;
  if (left == mask) return access_memory(warp, access, addresses, left, places, values);
  if (left != 0) access_memory(warp, access, addresses, left, places, values);
  return Layout::scattered;
}

}  // namespace

Layout access_memory(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                     const Values& values) {
  if (InstrCounts* const counts = warp.block->counts; counts != nullptr && access.is_counted) {
    if (access.space == ptx::Space::global) count_global(counts[warp.pc], addresses, mask, access.bytes);
    if (access.space == ptx::Space::shared) count_shared(counts[warp.pc], addresses, mask, access.bytes);
  }
  switch (access.space) {
    case ptx::Space::global:
    case ptx::Space::constant:
      return access_global(warp, access, addresses, mask, places, values);
    case ptx::Space::shared:
      return access_shared(warp, access, addresses, mask, places, values);
    case ptx::Space::local:
      access_local(warp, access, addresses, mask, places, values);
      return Layout::scattered;
    case ptx::Space::param:
      access_param(warp, access, addresses, mask, places);
      return Layout::scattered;
    default:
      return access_generic(warp, access, addresses, mask, places, values);
  }
}

void addresses_of(Warp& warp, const Instr& instr, U32 mask, Addresses& addresses) {
  const auto imm = static_cast<U64>(instr.imm);
  (void)mask;
  if (instr.a == kNoSlot) {
    for (U32 lane = 0; lane < kLanes; ++lane) addresses[lane] = imm;
  } else if (instr.wide_address) {
    const U64* const base = warp.at<U64>(instr.a);
    for (U32 lane = 0; lane < kLanes; ++lane) addresses[lane] = base[lane] + imm;
  } else {
    const U32* const base = warp.at<U32>(instr.a);
    for (U32 lane = 0; lane < kLanes; ++lane) addresses[lane] = base[lane] + static_cast<U32>(imm);
  }
  if (instr.flag) {  // a place in the frame of the function at hand
    for (U32 lane = 0; lane < kLanes; ++lane) addresses[lane] += warp.frame_base;
  }
}

void reserve_local(Warp& warp, U64 bytes) {
  if (bytes <= warp.local_bytes) return;
  if (bytes > kMostLocalBytes) {
    stop_at(warp, first_lane(warp.live), Kind::fault, "stack_overflow",
            "a thread's stack grows past " + std::to_string(kMostLocalBytes >> 10) +
                " KiB: a recursion without end, or too large local arrays");
  }
  const U64 grown = std::max(bytes, std::min(warp.local_bytes * 2, kMostLocalBytes));
  std::vector<std::byte> local(grown * kLanes);
  std::vector<U8> written(grown * kLanes);
  for (U64 lane = 0; lane < kLanes && warp.local_bytes > 0; ++lane) {
    std::memcpy(&local[lane * grown], &warp.local[lane * warp.local_bytes], warp.local_bytes);
    std::memcpy(&written[lane * grown], &warp.local_written[lane * warp.local_bytes], warp.local_bytes);
  }
  warp.local = std::move(local);
  warp.local_written = std::move(written);
  warp.local_bytes = grown;
}

}  // namespace kgen::emulator
