#include "harness/emulator/access.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "harness/emulator/launch.hpp"
#include "harness/emulator/shadow.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

constexpr U64 kMostLocalBytes = U64{512} << 10;

std::string hex(U64 value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (; value != 0 || out.empty(); value >>= 4) out.insert(out.begin(), kDigits[value & 15]);
  return "0x" + out;
}

const char* verb_of(Use use) {
  return use == Use::read ? "reads" : use == Use::write ? "writes" : "changes (atomically)";
}

[[noreturn]] void stop_access(const Warp& warp, U32 lane, Kind kind, std::string fine, U64 address,
                              const std::string& name, const std::string& what) {
  Diagnosis out = diagnosis_at(warp, lane, kind, std::move(fine));
  out.address = address;
  out.allocation = name;
  out.message += what;
  throw Stop{std::move(out)};
}

/// "reads 4 bytes 16 bytes past the end of `y` (4096 bytes)"
std::string bounds_text(const Access& access, I64 offset, U64 bytes, const std::string& name) {
  const std::string begin = std::string(verb_of(access.use)) + " " + std::to_string(access.bytes) + " bytes ";
  const std::string what = "`" + name + "` (" + std::to_string(bytes) + " bytes)";
  if (offset < 0) return begin + std::to_string(-offset) + " bytes before the start of " + what;
  const I64 past = offset - static_cast<I64>(bytes);
  if (past < 0)
    return begin + "of which " + std::to_string(past + access.bytes) + " lie past the end of " + what;
  if (past == 0) return begin + "right past the end of " + what;
  return begin + std::to_string(past) + " bytes past the end of " + what;
}

[[noreturn]] void stop_wild(const Warp& warp, U32 lane, const Access& access, U64 address) {
  const std::string what = address < kSharedWindow ? "a null pointer" : "an address of no allocation";
  stop_access(warp, lane, Kind::fault, "illegal_address", address, "",
              std::string(verb_of(access.use)) + " " + std::to_string(access.bytes) + " bytes at " +
                  hex(address) + ", " + what);
}

void check_alignment(const Warp& warp, U32 lane, const Access& access, U64 address, const std::string& name) {
  if ((address & (access.bytes - 1)) == 0) return;
  stop_access(warp, lane, Kind::fault, "misaligned", address, name,
              std::string(verb_of(access.use)) + " " + std::to_string(access.bytes) + " bytes of `" + name +
                  "` at " + hex(address) + ", which is not a multiple of " + std::to_string(access.bytes));
}

[[noreturn]] void stop_unwritten(const Warp& warp, U32 lane, const Access& access, U64 address, I64 offset,
                                 const std::string& name, const char* space) {
  stop_access(warp, lane, Kind::uninitialised_read, space, address, name,
              "reads " + std::to_string(access.bytes) + " bytes of `" + name + "` at byte " +
                  std::to_string(offset) + " that nothing has written");
}

/// Marks are 0 or 1, one a byte.
bool all_written(const U8* marks, U32 bytes) {
  if (bytes == 4) {
    U32 word = 0;
    std::memcpy(&word, marks, 4);
    return word == 0x01010101u;
  }
  return std::memchr(marks, 0, bytes) == nullptr;
}

/// Initialisation and races of one lane's access to global memory with a history.
void track_global(Warp& warp, U32 lane, const Access& access, Allocation& allocation, U64 offset,
                  const std::byte* place, const std::byte* value) {
  U8* const marks = allocation.written.empty() ? nullptr : allocation.written.data() + offset;
  if (access.use != Use::write && marks != nullptr && !all_written(marks, access.bytes)) {
    stop_unwritten(warp, lane, access, allocation.base + offset, static_cast<I64>(offset), allocation.name,
                   "global");
  }
  if (access.use != Use::read && marks != nullptr) std::memset(marks, 1, access.bytes);
  const bool strong = access.is_strong || access.is_first_look || access.use == Use::atomic;
  Touch touch = begin_touch(warp, allocation.history, false, strong);
  touch.offset = offset;
  touch.bytes = access.bytes;
  touch.address = allocation.base + offset;
  touch.name = &allocation.name;
  if (access.use == Use::read) {
    note_read(warp, lane, touch);
  } else {
    note_write(warp, lane, touch, value == nullptr || std::memcmp(place, value, access.bytes) != 0);
  }
}

void store(Warp& warp, std::byte* place, const std::byte* value, U32 bytes) {
  if (std::memcmp(place, value, bytes) == 0) return;
  std::memcpy(place, value, bytes);
  warp.block->last_change = warp.block->instructions;
}

/// Reads of one tensor that is only read have no history: a whole warp's are looked at together. False: they
/// are looked at lane by lane, which also says what is wrong with one.
bool read_together(Memory& memory, const Access& access, const Addresses& addresses, Places& places) {
  const Allocation* const allocation = memory.find(addresses[0]);
  if (allocation == nullptr || allocation->is_tracked) return false;
  U64 lowest = addresses[0], highest = lowest, bits = 0;
  for (U32 lane = 0; lane < kLanes; ++lane) {
    lowest = std::min(lowest, addresses[lane]);
    highest = std::max(highest, addresses[lane]);
    bits |= addresses[lane];
  }
  const bool inside = lowest >= allocation->base && highest - allocation->base < allocation->bytes &&
                      allocation->bytes - (highest - allocation->base) >= access.bytes;
  if (!inside || (bits & (access.bytes - 1)) != 0) return false;
  for (U32 lane = 0; lane < kLanes; ++lane)
    places[lane] = allocation->data.get() + (addresses[lane] - allocation->base);
  return true;
}

void access_global(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                   const LaneBytes* values) {
  Launch& launch = *warp.block->launch;
  if (access.use == Use::read && mask == kAllLanes &&
      read_together(*launch.memory, access, addresses, places))
    return;
  Allocation* allocation = nullptr;
  U64 slot = 0;
  std::unique_lock<SpinLock> lock;
  for_lanes(mask, [&](U32 lane) {
    const U64 address = addresses[lane];
    if (slot_of(address) != slot || allocation == nullptr) {
      if (lock.owns_lock()) lock.unlock();
      slot = slot_of(address);
      allocation = launch.memory->find(address);
      if (allocation == nullptr) stop_wild(warp, lane, access, address);
      if (allocation->is_tracked && launch.settings.threads > 1) lock = std::unique_lock(allocation->lock);
    }
    const U64 offset = address - allocation->base;
    if (offset + access.bytes > allocation->bytes || offset > allocation->bytes) {
      stop_access(warp, lane, Kind::out_of_bounds, "global", address, allocation->name,
                  bounds_text(access, static_cast<I64>(offset), allocation->bytes, allocation->name));
    }
    check_alignment(warp, lane, access, address, allocation->name);
    std::byte* const place = allocation->data.get() + offset;
    places[lane] = place;
    const std::byte* const value = values == nullptr ? nullptr : values->of[lane];
    if (access.use != Use::read && allocation->is_constant) {
      stop_access(warp, lane, Kind::fault, "illegal_address", address, allocation->name,
                  "writes to constant memory `" + allocation->name + "`");
    }
    if (allocation->is_tracked) track_global(warp, lane, access, *allocation, offset, place, value);
    if (value != nullptr) store(warp, place, value, access.bytes);
  });
  if (values != nullptr && warp.block->last_change == warp.block->instructions)
    launch.changes.fetch_add(1, std::memory_order_relaxed);
}

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
  stop_access(warp, lane, Kind::out_of_bounds, "shared", offset, name,
              bounds_text(access, static_cast<I64>(offset - begin), bytes, name) + " in shared memory");
}

bool all_the_same(const Addresses& addresses, U32 mask) {
  const U64 first = addresses[first_lane(mask)];
  U64 differences = 0;
  for (U32 lane = 0; lane < kLanes; ++lane)
    differences |= (mask & (1u << lane)) != 0 ? addresses[lane] ^ first : 0;
  return differences == 0;
}

void access_shared(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                   const LaneBytes* values) {
  Block& block = *warp.block;
  Touch touch =
      begin_touch(warp, block.shared_history, true, access.is_first_look || access.use == Use::atomic);
  touch.bytes = access.bytes;
  U32 apart = mask;
  if (access.use == Use::read && all_the_same(addresses, mask)) {  // a broadcast: looked at once
    apart = 1u << first_lane(mask);
    touch.by_several = mask != apart;
  }
  for_lanes(apart, [&](U32 lane) {
    const U64 offset = addresses[lane];
    if (!lies_in(offset, access.bytes, block.region_begin, block.region_end))
      find_region(warp, lane, access, offset);
    const std::string& name = *block.region_name;
    if ((offset & (access.bytes - 1)) != 0) check_alignment(warp, lane, access, offset, name);
    std::byte* const place = block.shared.data() + offset;
    U8* const marks = block.shared_written.data() + offset;
    places[lane] = place;
    if (access.use != Use::write && !all_written(marks, access.bytes)) {
      stop_unwritten(warp, lane, access, offset, static_cast<I64>(offset - block.region_begin), name,
                     "shared");
    }
    const std::byte* const value = values == nullptr ? nullptr : values->of[lane];
    touch.offset = offset;
    touch.address = kSharedWindow + offset;
    touch.name = &name;
    if (access.use == Use::read) {
      note_read(warp, lane, touch);
    } else {
      std::memset(marks, 1, access.bytes);
      note_write(warp, lane, touch, value == nullptr || std::memcmp(place, value, access.bytes) != 0);
    }
    if (value != nullptr) store(warp, place, value, access.bytes);
  });
  if (apart != mask) std::fill(std::begin(places), std::end(places), places[first_lane(mask)]);
}

void access_local(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                  const LaneBytes* values) {
  static const std::string kName = "local memory";
  for_lanes(mask, [&](U32 lane) {
    const U64 offset = addresses[lane];
    if (offset + access.bytes > warp.local_bytes || offset > warp.local_bytes) {
      stop_access(warp, lane, Kind::out_of_bounds, "local", offset, kName,
                  bounds_text(access, static_cast<I64>(offset), warp.local_bytes, kName));
    }
    if ((offset & (access.bytes - 1)) != 0) check_alignment(warp, lane, access, offset, kName);
    const U64 at = lane * warp.local_bytes + offset;
    places[lane] = warp.local.data() + at;
    U8* const marks = warp.local_written.data() + at;
    if (access.use != Use::write && !all_written(marks, access.bytes))
      stop_unwritten(warp, lane, access, offset, static_cast<I64>(offset), kName, "local");
    if (access.use != Use::read) std::memset(marks, 1, access.bytes);
    if (values != nullptr) std::memcpy(places[lane], values->of[lane], access.bytes);
  });
}

void access_param(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places) {
  static const std::string kName = "the kernel's parameters";
  auto& parameters = warp.block->launch->parameters;
  for_lanes(mask, [&](U32 lane) {
    const U64 offset = addresses[lane];
    if (offset + access.bytes > parameters.size() || offset > parameters.size()) {
      stop_access(warp, lane, Kind::out_of_bounds, "param", offset, kName,
                  bounds_text(access, static_cast<I64>(offset), parameters.size(), kName));
    }
    if (access.use != Use::read) {
      stop_access(warp, lane, Kind::fault, "illegal_address", offset, kName,
                  "writes to the kernel's parameters");
    }
    places[lane] = parameters.data() + offset;
  });
}

/// Lanes by the window their generic address is in, each in the addresses of its space.
void access_generic(Warp& warp, Access access, const Addresses& addresses, U32 mask, Places& places,
                    const LaneBytes* values) {
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
    if (inside != 0) access_memory(warp, access, moved, inside, places, values);
    left &= ~inside;
  }
  access.space = ptx::Space::global;
  if (left != 0) access_memory(warp, access, addresses, left, places, values);
}

}  // namespace

void access_memory(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                   const LaneBytes* values) {
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
      return access_local(warp, access, addresses, mask, places, values);
    case ptx::Space::param:
      return access_param(warp, access, addresses, mask, places);
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
