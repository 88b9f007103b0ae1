#include <algorithm>
#include <cstring>

#include "harness/emulator/access.hpp"
#include "harness/emulator/async_copies.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/memory_operand.hpp"

// cp.async (PTX ISA, "Data Movement and Conversion Instructions: cp.async"). What is copied lands in shared
// memory when it is waited for, not before: a kernel that forgets to wait reads what was there.
namespace kgen::emulator {
namespace {

void run_copy(Warp& warp, const Instr& instr, U32 mask) {
  Addresses to;
  addresses_of(warp, instr, mask, to);
  const U64* const from = warp.at<U64>(instr.b);
  const auto offset = static_cast<U64>(warp.program->slots[instr.list + 1]) |
                      static_cast<U64>(warp.program->slots[instr.list + 2]) << 32;
  const U32 source_slot = warp.program->slots[instr.list];
  Addresses sources, places;
  for_lanes(mask, [&](U32 lane) {
    const U64 place = slot_of(to[lane]) == slot_of(kSharedWindow) ? to[lane] - kSharedWindow : to[lane];
    U32 bytes =
        source_slot == kNoSlot ? instr.bytes : std::min<U32>(instr.bytes, warp.at<U32>(source_slot)[lane]);
    if (instr.c != kNoSlot && (warp.predicate(instr.c) >> lane & 1) != 0) bytes = 0;  // ignore-src
    sources[lane] = from[lane] + offset;
    places[lane] = place;
    warp.open_copies.push_back({sources[lane], place, instr.bytes, bytes, lane, warp.pc});
  });
  if (InstrCounts* const counts = warp.block->counts; counts != nullptr) {
    count_global(counts[warp.pc], sources, mask, instr.bytes);
    count_shared(counts[warp.pc], places, mask, instr.bytes);
  }
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

/// Does one copy: reads, fills with zeros what the source does not have, writes.
void finish_one(Warp& warp, const AsyncCopy& copy) {
  Addresses addresses;
  Places places;
  LaneBytes values;
  std::memset(values.of[copy.lane], 0, 16);
  const U32 now = warp.pc;
  warp.pc = copy.pc;  // messages name the line of the copy
  const U32 lane = 1u << copy.lane;
  for (U32 done = 0; done < copy.source_bytes;) {
    // Parts of a cut copy are read piece by piece; a whole one at once, so that its alignment is checked.
    const U32 bytes = copy.source_bytes == copy.bytes ? copy.bytes : 1;
    addresses[copy.lane] = copy.from + done;
    access_memory(warp, {ptx::Space::global, bytes, Use::read, false, false}, addresses, lane, places);
    std::memcpy(values.of[copy.lane] + done, places[copy.lane], bytes);
    done += bytes;
  }
  addresses[copy.lane] = copy.to;
  access_memory(warp, {ptx::Space::shared, copy.bytes, Use::write, false, false}, addresses, lane, places,
                values);
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

bool is_copy_due(const Block& block, U64 offset, U32 bytes) {
  const auto any_lands = [&](const std::vector<AsyncCopy>& copies) {
    return std::ranges::any_of(
        copies, [&](const AsyncCopy& c) { return c.to < offset + bytes && offset < c.to + c.bytes; });
  };
  return std::ranges::any_of(block.warps, [&](const Warp& warp) {
    return any_lands(warp.open_copies) || std::ranges::any_of(warp.copy_groups, any_lands);
  });
}

DecoderTable async_decoders() {
  return {std::begin(kAsyncRows), std::end(kAsyncRows)};
}

}  // namespace kgen::emulator
