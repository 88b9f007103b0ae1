#include <algorithm>

#include "harness/emulator/access_spaces.hpp"
#include "harness/emulator/access_stops.hpp"
#include "harness/emulator/address_span.hpp"
#include "harness/emulator/async_copies.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/doubt.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/shadow.hpp"
#include "harness/emulator/written_marks.hpp"

namespace kgen::emulator {
namespace {

/// Whether [offset, offset + bytes) lies in [begin, end); offsets before 0 come as huge ones.
bool lies_in(U64 offset, U32 bytes, U64 begin, U64 end) {
  return offset >= begin && offset < end && end - offset >= bytes;
}

/// Finds the shared variable that holds the bytes; remembered for the next access.
void find_region(Warp& warp, U32 lane, const Access& access, U64 offset) {
  static const std::string kDynamic = "dynamic shared memory";
  Block& block = *warp.block;
  const Launch& launch = *block.launch;
  const DecodedFunction& kernel = *launch.kernel;
  const PlacedVariable* nearest = nullptr;
  for (const PlacedVariable& variable : kernel.shared) {
    if (offset >= variable.offset || nearest == nullptr) nearest = &variable;
    if (!lies_in(offset, access.bytes, variable.offset, variable.offset + variable.bytes)) continue;
    block.region_begin = variable.offset;
    block.region_end = variable.offset + variable.bytes;
    block.region_name = &variable.name;
    return;
  }
  const U64 dynamic = kernel.shared_bytes, size = launch.settings.dynamic_shared;
  if (lies_in(offset, access.bytes, dynamic, dynamic + size)) {
    block.region_begin = dynamic;
    block.region_end = dynamic + size;
    block.region_name = &kDynamic;
    return;
  }
  const bool in_dynamic = nearest == nullptr || (size > 0 && offset >= dynamic);
  const std::string& name = in_dynamic ? kDynamic : nearest->name;
  const U64 begin = in_dynamic ? dynamic : nearest->offset, bytes = in_dynamic ? size : nearest->bytes;
  stop_bounds(warp, lane, access, "shared", offset, static_cast<I64>(offset - begin), bytes, name,
              " in shared memory");
}

/// Whether an access is no race with its like. A volatile write is that behind a fence alone: it says that
/// what came before it is there, where others may be data that a barrier should have ordered.
bool is_strong(const Warp& warp, const Access& access) {
  if (access.use == Use::atomic || access.is_first_look) return true;
  if (access.is_volatile) return access.use == Use::read || warp.has_fenced;
  return access.is_strong;
}

/// A volatile read that finds what an atomic, or a volatile write behind a fence, left there.
void note_flags(Warp& warp, const Access& access, const Addresses& addresses, U32 mask) {
  if (!access.is_volatile || access.use != Use::read) return;
  const HistoryTable& history = warp.block->shared_history;
  bool found = false;
  for_lanes(mask, [&](U32 lane) {
    const AccessRecord* const write = history.find(Kept::write, addresses[lane] / 4);
    found = found || (write != nullptr && write->block == warp.block->number && write->is_strong());
  });
  if (found) note_acquire(warp, false);
}

[[noreturn]] void stop_pending(Warp& warp, U32 lane, const Access& access, U64 offset,
                               const AsyncCopy& copy) {
  find_region(warp, lane, access, offset);
  const Block& block = *warp.block;
  const int line = warp.program->code[copy.pc].line;
  Diagnosis out = diagnosis_at(warp, lane, Diagnosis::Kind::race, "shared");
  out.other_line = line;
  out.address = kSharedWindow + offset;
  out.allocation = *block.region_name;
  const char* const verb = access.landing == Landing::begins ? "copies to"
                           : access.use == Use::read         ? "reads"
                           : access.use == Use::write        ? "writes"
                                                             : "changes (atomically)";
  out.message += std::string(verb) + " `" + *block.region_name + "` at byte " +
                 std::to_string(offset - block.region_begin) + ", where the cp.async of line " +
                 std::to_string(line) + " lands, which has not been waited for";
  throw Stop{std::move(out)};
}

/// Accesses of bytes where a copy is to land that nobody has waited for yet: neither before nor behind it.
/// What nothing has written at all is find_unwritten()'s.
void check_pending(Warp& warp, const Access& access, const Addresses& offsets, U32 mask,
                   const Values& values) {
  const Block& block = *warp.block;
  for_lanes(mask, [&](U32 lane) {
    const U64 offset = offsets[lane];
    if (!lies_in(offset, access.bytes, 0, block.shared.size())) return;
    if (access.use != Use::write && !all_written(block.shared_written.data() + offset, access.bytes)) return;
    const std::byte* const same = access.landing == Landing::begins ? values.of(lane) : nullptr;
    const AsyncCopy* const copy = find_pending(block, offset, access.bytes, same);
    if (copy != nullptr) stop_pending(warp, lane, access, offset, *copy);
  });
}

/// One warp's access to shared memory.
struct SharedAccess {
  Warp& warp;
  const Access& access;
  Touch touch;
  bool changed = false;

  SharedAccess(Warp& of, const Access& what)
      : warp(of),
        access(what),
        touch(begin_touch(of, of.block->shared_history, true,
                          is_strong(of, what) ? AccessRecord::kStrong : 0)) {
    touch.bytes = what.bytes;
    touch.base = kSharedWindow;
  }

  /// A lane's read of bytes that nothing has written. What a copy is yet to bring is no part of a tile left
  /// unwritten.
  void find_unwritten(U32 lane, U64 offset) const {
    const Block& block = *warp.block;
    const auto place = static_cast<I64>(offset - block.region_begin);
    const U8* const marks = block.shared_written.data() + offset;
    if (find_pending(block, offset, access.bytes) != nullptr) {
      stop_unwritten(warp, lane, access, {offset, place, first_unwritten(marks, access.bytes)},
                     *block.region_name, "shared");
    }
    if (!access.may_be_unwritten)
      meet_unwritten(warp, lane, access, offset, place, *block.region_name, "shared", marks);
  }

  /// A lane whose bytes lie in the variable that was touched last.
  std::byte* lane_at(U32 lane, U64 offset, const std::byte* value) {
    Block& block = *warp.block;
    std::byte* const place = block.shared.data() + offset;
    U8* const marks = block.shared_written.data() + offset;
    if (access.use != Use::write && !all_written(marks, access.bytes)) find_unwritten(lane, offset);
    touch.offset = offset;
    touch.name = block.region_name;
    if (access.landing == Landing::begins) {
      check_write(warp, lane, touch, {place, value});
      return place;
    }
    if (access.use == Use::read) {
      note_read(warp, lane, touch);
      return place;
    }
    mark_written(marks, access.bytes);
    note_write(warp, lane, touch, {place, value});
    if (value != nullptr && store_changed(place, value, access.bytes)) block.last_change = block.instructions;
    return place;
  }

  /// The same for lanes that read a word each, inside the variable that was touched last.
  void read_words(const Addresses& offsets, U32 mask, Places& places, Layout layout) {
    Block& block = *warp.block;
    touch.name = block.region_name;
    touch.offset = offsets[0];
    std::byte* const bytes = block.shared.data();
    if ((layout == Layout::in_a_row && note_whole_row(offsets)) || note_halves(offsets, mask)) {
      for (U32 lane = 0; lane < kLanes; ++lane) places[lane] = bytes + offsets[lane];
      return;
    }
    const U8* const marks = block.shared_written.data();
    U32 unwritten = 0;  // 0: all bytes of all lanes are written
    const auto look = [&](U32 lane) {
      unwritten |= unwritten_bits(marks + offsets[lane]);
      places[lane] = bytes + offsets[lane];
    };
    if (mask == kAllLanes) {
      for (U32 lane = 0; lane < kLanes; ++lane) look(lane);
    } else {
      for_lanes(mask, look);
    }
    if (unwritten != 0) {
      for_lanes(mask, [&](U32 lane) {
        if (!all_written(marks + offsets[lane], 4)) find_unwritten(lane, offsets[lane]);
      });
    }
    note_word_reads(warp, mask, touch, offsets);
  }

  /// A row of as many words as the warp has lanes. False: nothing was done.
  bool note_whole_row(const Addresses& offsets) const {
    return all_written(warp.block->shared_written.data() + offsets[0], 4 * kLanes) &&
           note_row(warp, 0, kLanes, touch, false);
  }

  /// Both halves of the warp read the same row, as rows of sixteen threads do. False: nothing was done.
  bool note_halves(const Addresses& offsets, U32 mask) {
    constexpr U32 kHalf = kLanes / 2;
    if (mask != kAllLanes) return false;
    U64 differs = 0;
    for (U32 lane = 0; lane < kHalf; ++lane)
      differs |= (offsets[lane] ^ (offsets[0] + U64{4} * lane)) | (offsets[lane] ^ offsets[lane + kHalf]);
    if (differs != 0 || !all_written(warp.block->shared_written.data() + offsets[0], 4 * kHalf)) return false;
    touch.by_several = true;
    const bool noted = note_row(warp, kHalf, kHalf, touch, false);
    touch.by_several = false;
    return noted;
  }
};

Layout touch_shared(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                    const Values& values) {
  Block& block = *warp.block;
  AddressSpan span = span_of(addresses, mask, block.region_begin, block.region_end, access.bytes);
  if (!span.is_inside) {
    const U32 first = first_lane(mask);
    find_region(warp, first, access, addresses[first]);
    span = span_of(addresses, mask, block.region_begin, block.region_end, access.bytes);
  }
  SharedAccess whole(warp, access);
  if (!span.is_inside || !span.is_aligned) {  // variable by variable, or something is wrong
    for_lanes(mask, [&](U32 lane) {
      if (!lies_in(addresses[lane], access.bytes, block.region_begin, block.region_end))
        find_region(warp, lane, access, addresses[lane]);
      check_alignment(warp, lane, access, addresses[lane], *block.region_name);
      places[lane] = whole.lane_at(lane, addresses[lane], values.of(lane));
    });
    return Layout::scattered;
  }
  if (access.use == Use::read && span.layout == Layout::same) {  // a broadcast: looked at once
    const U32 last = last_lane(mask);
    whole.touch.by_several = (mask & (mask - 1)) != 0;
    std::fill(std::begin(places), std::end(places), whole.lane_at(last, addresses[last], nullptr));
    if (access.unwritten != nullptr && access.unwritten->lanes != 0)
      for_lanes(mask, [&](U32 lane) { whole.find_unwritten(lane, addresses[lane]); });
    return Layout::same;
  }
  if (access.use == Use::read && access.bytes == 4) {
    whole.read_words(addresses, mask, places, span.layout);
  } else {
    for_lanes(mask, [&](U32 lane) { places[lane] = whole.lane_at(lane, addresses[lane], values.of(lane)); });
  }
  return span.layout;
}

}  // namespace

Layout access_shared(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                     const Values& values) {
  if (warp.block->copies_due != 0 && access.landing != Landing::ends)
    check_pending(warp, access, addresses, mask, values);
  const Layout layout = touch_shared(warp, access, addresses, mask, places, values);
  note_flags(warp, access, addresses, mask);
  return layout;
}

}  // namespace kgen::emulator
