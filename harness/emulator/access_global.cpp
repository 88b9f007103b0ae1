#include <cstring>
#include <mutex>

#include "harness/emulator/access_spaces.hpp"
#include "harness/emulator/access_stops.hpp"
#include "harness/emulator/address_span.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/shadow.hpp"
#include "harness/emulator/written_marks.hpp"

namespace kgen::emulator {
namespace {

U32 strength(const Access& access) {
  if (!access.is_strong && !access.is_first_look && access.use != Use::atomic) return 0;
  return AccessRecord::kStrong | (access.is_of_block ? AccessRecord::kOfBlock : 0);
}

/// One warp's access to one allocation of global memory.
struct GlobalAccess {
  Warp& warp;
  const Access& access;
  Allocation& allocation;
  Touch touch;
  std::unique_lock<SpinLock> lock;
  bool changed = false;

  GlobalAccess(Warp& of, const Access& what, Allocation& in)
      : warp(of),
        access(what),
        allocation(in),
        touch(in.is_tracked ? begin_touch(of, in.history, false, strength(what)) : Touch()) {
    if (!in.is_tracked) return;
    if (of.block->launch->settings.threads > 1) lock = std::unique_lock(in.lock);
    touch.bytes = what.bytes;
    touch.base = in.base;
    touch.name = &in.name;
  }

  /// A lane whose bytes lie inside the allocation.
  std::byte* lane_at(U32 lane, U64 offset, const std::byte* value) {
    std::byte* const place = allocation.data.get() + offset;
    if (allocation.is_tracked) track(lane, offset, place, value);
    if (value != nullptr) changed = store_changed(place, value, access.bytes) || changed;
    return place;
  }

  /// A whole warp that writes neighbouring words; false: nothing was done.
  bool write_row(U64 offset, const std::byte* values) {
    touch.offset = offset;
    if (values == nullptr || !note_row(warp, 0, kLanes, touch, true)) return false;
    std::byte* const place = allocation.data.get() + offset;
    constexpr U32 kBytes = 4 * kLanes;
    if (!allocation.written.empty()) std::memset(allocation.written.data() + offset, 1, kBytes);
    changed = store_changed(place, values, kBytes);
    return true;
  }

  void finish() const {
    if (!changed) return;
    warp.block->last_change = warp.block->instructions;
    warp.block->launch->changes.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  /// Initialisation and races.
  void track(U32 lane, U64 offset, const std::byte* place, const std::byte* value) {
    U8* const marks = allocation.written.empty() ? nullptr : allocation.written.data() + offset;
    if (access.use != Use::write && marks != nullptr && !all_written(marks, access.bytes)) {
      const U32 first = first_unwritten(marks, access.bytes);
      stop_unwritten(warp, lane, access, {allocation.base + offset, static_cast<I64>(offset), first},
                     allocation.name, "global");
    }
    if (access.use != Use::read && marks != nullptr) mark_written(marks, access.bytes);
    touch.offset = offset;
    if (access.use == Use::read) {
      note_read(warp, lane, touch);
      if (access.is_cached) check_cached(warp, lane, touch);
    } else {
      note_write(warp, lane, touch, {place, value});
    }
  }
};

void check_lane(const Warp& warp, U32 lane, const Access& access, const Allocation& allocation, U64 address) {
  const U64 offset = address - allocation.base;
  if (offset + access.bytes > allocation.bytes || offset > allocation.bytes) {
    stop_bounds(warp, lane, access, "global", address, static_cast<I64>(offset), allocation.bytes,
                allocation.name);
  }
  check_alignment(warp, lane, access, address, allocation.name);
  if (access.use != Use::read && allocation.is_constant) {
    stop_access(warp, lane, Diagnosis::Kind::fault, "illegal_address", address, allocation.name,
                "writes to constant memory `" + allocation.name + "`");
  }
}

/// Lane by lane, each perhaps in an allocation of its own; says what is wrong with one.
void access_each(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                 const Values& values) {
  for_lanes(mask, [&](U32 lane) {
    const U64 address = addresses[lane];
    Allocation* const allocation = warp.block->launch->memory->find(address);
    if (allocation == nullptr) stop_wild(warp, lane, access, address);
    check_lane(warp, lane, access, *allocation, address);
    GlobalAccess one(warp, access, *allocation);
    places[lane] = one.lane_at(lane, address - allocation->base, values.of(lane));
    one.finish();
  });
}

}  // namespace

Layout access_global(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                     const Values& values) {
  Allocation* const allocation = warp.block->launch->memory->find(addresses[first_lane(mask)]);
  AddressSpan span;
  if (allocation != nullptr) {
    span = span_of(addresses, mask, allocation->base, allocation->base + allocation->bytes, access.bytes);
  }
  const bool is_refused = allocation != nullptr && access.use != Use::read && allocation->is_constant;
  if (!span.is_inside || !span.is_aligned || is_refused) {
    access_each(warp, access, addresses, mask, places, values);
    return Layout::scattered;
  }
  if (access.use == Use::read && !allocation->is_tracked) {
    std::byte* const data = allocation->data.get();
    const auto place = [&](U32 lane) { places[lane] = data + (addresses[lane] - allocation->base); };
    if (mask == kAllLanes) {
      for (U32 lane = 0; lane < kLanes; ++lane) place(lane);
    } else {
      for_lanes(mask, place);
    }
    return span.layout;
  }
  GlobalAccess whole(warp, access, *allocation);
  const bool is_row = span.layout == Layout::in_a_row && access.use == Use::write && access.bytes == 4 &&
                      values.stride == 4 && allocation->is_tracked;
  if (is_row && whole.write_row(addresses[0] - allocation->base, values.first)) {
    whole.finish();
    return span.layout;  // who writes asks for no places
  }
  for_lanes(mask, [&](U32 lane) {
    places[lane] = whole.lane_at(lane, addresses[lane] - allocation->base, values.of(lane));
  });
  whole.finish();
  return span.layout;
}

}  // namespace kgen::emulator
