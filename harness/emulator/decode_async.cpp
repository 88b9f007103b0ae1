#include <algorithm>
#include <cstring>
#include <span>

#include "harness/emulator/access.hpp"
#include "harness/emulator/async_copies.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/memory_operand.hpp"

// cp.async (PTX ISA, "Data Movement and Conversion Instructions: cp.async"). What is copied lands in shared
// memory when it is waited for, not before: a kernel that forgets to wait reads what was there.
namespace kgen::emulator {
namespace {

/// Reads what the lanes of the mask bring; what the source does not have is zeros.
void read_sources(Warp& warp, std::span<const AsyncCopy> copies, LaneBytes& values) {
  Addresses addresses;
  Places places;
  const auto read = [&](U32 mask, U32 bytes, U32 at) {
    access_memory(warp, {ptx::Space::global, bytes, Use::read, false, false}, addresses, mask, places);
    for_lanes(mask, [&](U32 lane) { std::memcpy(values.of[lane] + at, places[lane], bytes); });
  };
  U32 whole = 0;
  for (const AsyncCopy& copy : copies) {
    std::memset(values.of[copy.lane], 0, 16);
    addresses[copy.lane] = copy.from;
    if (copy.source_bytes == copy.bytes) whole |= 1u << copy.lane;
  }
  if (whole != 0) read(whole, copies.front().bytes, 0);
  for (const AsyncCopy& copy : copies) {  // parts of a cut one, byte by byte: no alignment is asked of them
    for (U32 done = 0; copy.source_bytes != copy.bytes && done < copy.source_bytes; ++done) {
      addresses[copy.lane] = copy.from + done;
      read(1u << copy.lane, 1, done);
    }
  }
}

/// One more copy, or one fewer, that is to land there.
void count_due(Block& block, const AsyncCopy& copy, U32 change) {
  block.copies_due += static_cast<U64>(static_cast<std::int32_t>(change));
  if (block.due_of_word.empty()) block.due_of_word.resize(block.shared.size() / 4 + 1);
  for (U64 word = copy.to / 4; word * 4 < copy.to + copy.bytes; ++word) block.due_of_word[word] += change;
}

/// From here on until it is waited for, each copy reads its source and writes where it lands.
void begin_copies(Warp& warp, std::span<AsyncCopy> copies) {
  LaneBytes values;
  Addresses addresses;
  Places places;
  U32 mask = 0;
  read_sources(warp, copies, values);
  for (const AsyncCopy& copy : copies) {
    addresses[copy.lane] = copy.to;
    mask |= 1u << copy.lane;
  }
  Access access{ptx::Space::shared, copies.front().bytes, Use::write, false, false};
  access.landing = Landing::begins;
  access_memory(warp, access, addresses, mask, places, values);
  for (AsyncCopy& copy : copies) {
    std::memcpy(copy.value.data(), values.of[copy.lane], 16);
    count_due(*warp.block, copy, 1);
    warp.open_copies.push_back(copy);
  }
}

void run_copy(Warp& warp, const Instr& instr, U32 mask) {
  Addresses to;
  addresses_of(warp, instr, mask, to);
  const U64* const from = warp.at<U64>(instr.b);
  const auto offset = static_cast<U64>(warp.program->slots[instr.list + 1]) |
                      static_cast<U64>(warp.program->slots[instr.list + 2]) << 32;
  const U32 source_slot = warp.program->slots[instr.list];
  Addresses sources, places;
  std::vector<AsyncCopy> copies;
  for_lanes(mask, [&](U32 lane) {
    const U64 place = slot_of(to[lane]) == slot_of(kSharedWindow) ? to[lane] - kSharedWindow : to[lane];
    U32 bytes =
        source_slot == kNoSlot ? instr.bytes : std::min<U32>(instr.bytes, warp.at<U32>(source_slot)[lane]);
    if (instr.c != kNoSlot && (warp.predicate(instr.c) >> lane & 1) != 0) bytes = 0;  // ignore-src
    sources[lane] = from[lane] + offset;
    places[lane] = place;
    copies.push_back({sources[lane], place, instr.bytes, bytes, lane, warp.pc, {}});
  });
  if (InstrCounts* const counts = warp.block->counts; counts != nullptr) {
    count_global(counts[warp.pc], sources, mask, instr.bytes);
    count_shared(counts[warp.pc], places, mask, instr.bytes);
  }
  begin_copies(warp, copies);
}

/// cp.async.ca.shared.global [dst], [src], 16{, src-size or ignore-src}{, cache-policy}.
void decode_copy(FunctionDecoder& d) {
  if (d.has("commit_group")) {
    return d.emit(d.instr([](Warp& warp, const Instr&, U32 mask) { commit_copies(warp, mask); }));
  }
  if (d.has("wait_all")) {
    return d.emit(d.instr([](Warp& warp, const Instr&, U32 mask) {
      commit_copies(warp, mask);
      finish_copies(warp, mask, 0);
    }));
  }
  if (d.has("wait_group")) {
    Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
      finish_copies(warp, mask, static_cast<std::size_t>(in.imm));
    });
    instr.imm = static_cast<I64>(d.operand(0).bits);
    return d.emit(instr);
  }
  if (d.has("mbarrier")) {
    return decode_copy_arrival(d);
  }
  if (d.has("bulk") || d.has("reduce") || !d.has("global")) throw NotEmulated{};
  Instr instr = d.instr(run_copy);
  d.address(d.operand(0), ptx::Space::shared, instr);
  Instr source;
  d.address(d.operand(1), ptx::Space::global, source);
  instr.b = source.a == kNoSlot ? d.shared().constant(0, 8) : source.a;
  if (source.a != kNoSlot && !source.wide_address) throw NotEmulated{};
  instr.bytes = static_cast<U8>(d.operand(2).bits);
  if (instr.bytes != 4 && instr.bytes != 8 && instr.bytes != 16) d.bad("cp.async copies 4, 8 or 16 bytes");
  U32 source_size = kNoSlot;
  const std::size_t extra = d.operands() - 3 - (d.has("L2::cache_hint") ? 1 : 0);
  if (extra > 0) {
    const auto& operand = d.operand(3);
    const auto found =
        operand.kind == ptx::Operand::Kind::name ? d.find_register(operand.text) : std::nullopt;
    if (found && found->bytes == 0) {
      instr.c = found->slot;
    } else {
      source_size = d.source(operand, 4);
    }
  }
  auto& slots = d.shared().program.slots;
  instr.list = static_cast<U32>(slots.size());
  const auto offset = static_cast<U64>(source.imm);
  slots.insert(slots.end(), {source_size, static_cast<U32>(offset), static_cast<U32>(offset >> 32)});
  d.emit(instr);
}

void decode_cp(FunctionDecoder& d) {
  if (!d.has("async")) throw NotEmulated{};
  decode_copy(d);
}

constexpr DecoderRow kAsyncRows[] = {{"cp", decode_cp}};

/// Does one copy.
void finish_one(Warp& warp, const AsyncCopy& copy) {
  Addresses addresses;
  Places places;
  LaneBytes values;
  const U32 now = warp.pc;
  warp.pc = copy.pc;  // messages name the line of the copy
  read_sources(warp, {&copy, 1}, values);
  count_due(*warp.block, copy, ~0u);
  addresses[copy.lane] = copy.to;
  Access access{ptx::Space::shared, copy.bytes, Use::write, false, false};
  access.landing = Landing::ends;
  access_memory(warp, access, addresses, 1u << copy.lane, places, values);
  warp.pc = now;
}

}  // namespace

void commit_copies(Warp& warp, U32 mask) {
  std::vector<AsyncCopy> group, left;
  for (const AsyncCopy& copy : warp.open_copies)
    ((mask >> copy.lane & 1) != 0 ? group : left).push_back(copy);
  warp.open_copies = std::move(left);
  warp.copy_groups.push_back(std::move(group));
}

void finish_copies(Warp& warp, U32 mask, std::size_t pending) {
  const std::size_t count = warp.copy_groups.size();
  for (std::size_t i = 0; i + pending < count; ++i) {
    std::vector<AsyncCopy> left;
    for (const AsyncCopy& copy : warp.copy_groups[i]) {
      if ((mask >> copy.lane & 1) != 0) {
        finish_one(warp, copy);
      } else {
        left.push_back(copy);
      }
    }
    warp.copy_groups[i] = std::move(left);
  }
  while (!warp.copy_groups.empty() && warp.copy_groups.front().empty() && warp.copy_groups.size() > pending)
    warp.copy_groups.erase(warp.copy_groups.begin());
}

const AsyncCopy* find_pending(const Block& block, U64 offset, U32 bytes, const std::byte* same) {
  if (block.copies_due == 0) return nullptr;
  const auto* const due = block.due_of_word.data();
  if (std::all_of(due + offset / 4, due + (offset + bytes + 3) / 4, [](U32 count) { return count == 0; }))
    return nullptr;
  const auto differs = [&](const AsyncCopy& copy) {
    const U64 begin = std::max(copy.to, offset), end = std::min(copy.to + copy.bytes, offset + bytes);
    if (begin >= end) return false;
    return same == nullptr ||
           std::memcmp(copy.value.data() + (begin - copy.to), same + (begin - offset), end - begin) != 0;
  };
  const AsyncCopy* found = nullptr;
  const auto look = [&](const std::vector<AsyncCopy>& copies) {
    const auto at = std::ranges::find_if(copies, differs);
    if (at != copies.end()) found = &*at;
  };
  for (const Warp& warp : block.warps) {
    look(warp.open_copies);
    for (const auto& group : warp.copy_groups) look(group);
  }
  return found;
}

DecoderTable async_decoders() {
  return {std::begin(kAsyncRows), std::end(kAsyncRows)};
}

}  // namespace kgen::emulator
