#include "harness/emulator/shadow.hpp"

#include <algorithm>
#include <cstring>

#include "harness/emulator/launch.hpp"
#include "harness/emulator/record_rows.hpp"

namespace kgen::emulator {
namespace {

/// Whether lanes of one warp met at an mbarrier behind what the record says.
bool knows_lane(const Warp& warp, U32 lane, U32 other, U32 tick) {
  return !warp.lanes_seen.empty() && warp.lanes_seen[lane][other] >= tick;
}

/// Whether what the record says happened before what the lane does now. Of several lanes it names the last;
/// what the others have met is not kept.
bool is_ordered(const Warp& warp, U32 lane, const AccessRecord& record) {
  const Block& block = *warp.block;
  if (record.block != block.number) {
    const Launch& launch = *block.launch;
    return launch.block_releases[record.block] > record.time &&
           launch.block_acquires[block.number] > record.time;
  }
  const U32 other = record.thread() / kLanes, other_lane = record.thread() % kLanes;
  if (other != warp.index && warp.seen[other] >= record.tick()) return true;
  if (block.warps[other].release_time > record.time && warp.acquire_time > record.time) return true;
  if (other != warp.index) return false;
  const U32 tick = record.tick();
  const bool has_met = warp.last_sync[lane] > tick, other_has_met = warp.last_sync[other_lane] > tick;
  const bool is_known = other_lane == lane || knows_lane(warp, lane, other_lane, tick);
  if (!record.by_several()) return is_known || (has_met && other_has_met);
  const bool has_ended = (warp.live >> other_lane & 1) == 0;
  return has_met && (is_known || other_has_met || has_ended);
}

bool is_conflict(const Warp& warp, U32 lane, const Touch& touch, const AccessRecord& record, U32 bytes) {
  const Block& block = *warp.block;
  if (record.time < touch.began || (record.bytes() & bytes) == 0) return false;
  if (touch.is_shared && record.block != block.number) return false;  // of a block that was here before
  if (touch.mine.is_strong() && record.is_strong()) {
    const bool of_block = touch.mine.is_of_block() || record.is_of_block();
    if (record.block == block.number || !of_block) return false;
  }
  return !is_ordered(warp, lane, record);
}

/// Most records, at a glance: nobody's, of other bytes, of this very thread, or from before a barrier. False:
/// is_conflict() says.
bool is_harmless(const Touch& touch, const AccessRecord& record, const AccessRecord& mine) {
  if (record.time < touch.began || (record.bytes() & mine.bytes()) == 0) return true;
  if (record.block != mine.block) return touch.is_shared;
  return record.tick() <= touch.safe_tick || (record.is_of_thread(mine) && !record.by_several());
}

std::string thread_text(const Block& block, U32 thread) {
  const auto& extent = block.launch->settings.block;
  return "thread (" + std::to_string(thread % extent[0]) + "," +
         std::to_string(thread / extent[0] % extent[1]) + "," +
         std::to_string(thread / extent[0] / extent[1]) + ")";
}

[[noreturn]] void stop_race(const Warp& warp, U32 lane, const Touch& touch, const AccessRecord& record,
                            const char* before, const char* now) {
  const Block& block = *warp.block;
  Diagnosis out = diagnosis_at(warp, lane, Diagnosis::Kind::race, touch.is_shared ? "shared" : "global");
  out.other_line = warp.program->code[record.pc()].line;
  out.address = touch.base + touch.offset;
  out.allocation = *touch.name;
  const bool same_block = record.block == block.number;
  const std::string other =
      record.by_several() && same_block ? "threads of one warp"
      : same_block                      ? thread_text(block, record.thread())
                   : "block " + std::to_string(record.block) + " " + thread_text(block, record.thread());
  const U64 begin = touch.is_shared ? block.region_begin : 0;  // of the variable, which was touched last
  out.message += std::string(now) + " `" + *touch.name + "` at byte " + std::to_string(touch.offset - begin) +
                 ", which " + other + " " + before + " at line " + std::to_string(out.other_line) +
                 " with no barrier between the two";
  if (same_block && record.thread() / kLanes == warp.index) out.message += " (not even __syncwarp)";
  if (touch.mine.is_strong() && record.is_strong())
    out.message += "; one of them is of .cta scope (..._block), which orders nothing between blocks";
  throw Stop{std::move(out)};
}

AccessRecord record_of(const Warp& warp, U32 lane, const Touch& touch, U32 bytes) {
  AccessRecord out = touch.mine;
  out.pc_who |= warp.index * kLanes + lane;
  out.tick_how |= bytes << AccessRecord::kBytesBegin | (touch.by_several ? AccessRecord::kSeveral : 0);
  return out;
}

/// Calls f(word, which of its bytes) for the words of a touch.
template <class F>
void for_words(const Touch& touch, F f) {
  if (touch.bytes % 4 == 0 && touch.offset % 4 == 0) {
    for (U64 word = touch.offset / 4, end = word + touch.bytes / 4; word < end; ++word) f(word, 15u);
    return;
  }
  const U64 end = touch.offset + touch.bytes;
  for (U64 word = touch.offset / 4; word * 4 < end; ++word) {
    const U64 first = std::max(touch.offset, word * 4) - word * 4, last = std::min(end - word * 4, U64{4});
    f(word, ((1u << last) - 1u) & ~((1u << first) - 1u));
  }
}

[[gnu::noinline]] void check_read(const Warp& warp, U32 lane, const Touch& touch, const AccessRecord& write,
                                  U32 bytes) {
  if (is_conflict(warp, lane, touch, write, bytes)) stop_race(warp, lane, touch, write, "wrote", "reads");
}

[[gnu::noinline]] void check_other(const Warp& warp, U32 lane, const Touch& touch, const Written& written,
                                   const AccessRecord& other, U32 bytes, bool other_writes) {
  if (!is_conflict(warp, lane, touch, other, bytes)) return;
  if (written.value != nullptr && std::memcmp(written.place, written.value, touch.bytes) == 0) return;
  stop_race(warp, lane, touch, other, other_writes ? "wrote" : "read",
            other_writes ? "writes another value to" : "writes");
}

/// Looks at all that is kept of a word for a write of it.
inline void check_word_write(const Warp& warp, U32 lane, const Touch& touch, const Written& written, U64 word,
                             const AccessRecord& mine) {
  for (const Kept what : {Kept::write, Kept::read, Kept::other_read}) {
    const AccessRecord* const other = touch.history->find(what, word);
    if (other == nullptr && what == Kept::read) return;
    if (other != nullptr && !is_harmless(touch, *other, mine))
      check_other(warp, lane, touch, written, *other, mine.bytes(), what == Kept::write);
  }
}

/// Whether the warp itself wrote it, since its last barrier: its lanes may know unlike things of that.
inline bool is_own_write(const Touch& touch, const AccessRecord& write, const AccessRecord& mine) {
  return write.time >= touch.began && write.is_of_warp(mine) && write.tick() > touch.safe_tick;
}

/// Keeps the read of another warp that one is about to take the place of, where it says something.
inline void keep_other(const Touch& touch, U64 word, const AccessRecord& read) {
  if (read.time >= touch.began && (!touch.is_shared || read.block == touch.mine.block))
    touch.history->at(Kept::other_read, word) = read;
}

/// Puts a read among those of its word; `write`: the word's last, null: none.
void keep_read(const Touch& touch, const AccessRecord* write, U64 word, const AccessRecord& mine) {
  AccessRecord& read = touch.history->at(Kept::read, word);
  if (!read.is_of_warp(mine)) {
    keep_other(touch, word, read);
    read = mine;
    return;
  }
  if (!read.is_of_moment(mine)) {
    read = mine;
    return;
  }
  // Other lanes of this warp find the same as the first, unless it was the warp itself that wrote.
  const bool own_write = write != nullptr && is_own_write(touch, *write, mine);
  if (read.is_of_thread(mine)) {
    read.add_bytes(mine.bytes());
  } else if (!own_write && (mine.bytes() & ~read.bytes()) == 0) {
    read.add_reader(mine);
  } else {
    read = mine;
  }
}

void note_word_read(const Warp& warp, U32 lane, const Touch& touch, U64 word, U32 bytes) {
  const AccessRecord mine = record_of(warp, lane, touch, bytes);
  const AccessRecord* const write = touch.history->find(Kept::write, word);
  if (write != nullptr && !is_harmless(touch, *write, mine)) check_read(warp, lane, touch, *write, bytes);
  keep_read(touch, write, word, mine);
}

/// Neighbouring words of one page, looked at together: of the lanes from `lane` on, one each (`by_thread`),
/// or all of that lane. False: each must be looked at by itself, and nothing was done.
bool note_words(const Warp& warp, U32 lane, const Touch& touch, U32 count, bool by_thread, bool writes) {
  const U64 word = touch.offset / 4, place = word % HistoryTable::kPage;
  if (touch.offset % 4 != 0 || count % 2 != 0 || place + count > HistoryTable::kPage) return false;
  HistoryTable& history = *touch.history;
  const RecordRow row{
      record_of(warp, lane, touch, 15), by_thread, count, touch.began, touch.safe_tick, touch.is_shared};
  const auto is_quiet = [&](Kept what) {
    const AccessRecord* const page = history.find_page(what, word);
    return page == nullptr || all_harmless(page + place, row);
  };
  if (writes) {
    if (!is_quiet(Kept::write) || !is_quiet(Kept::read) || !is_quiet(Kept::other_read)) return false;
    fill_row(history.page(Kept::write, word) + place, nullptr, row);
    return true;
  }
  const AccessRecord* const last_writes = history.find_page(Kept::write, word);
  AccessRecord* const reads = history.page(Kept::read, word) + place;
  const ReadRow seen = classify_reads(last_writes == nullptr ? nullptr : last_writes + place, reads, row);
  if (seen == ReadRow::mixed) return false;
  if (seen == ReadRow::noted) return true;
  const bool displaces = seen == ReadRow::of_others;
  fill_row(reads, displaces ? history.page(Kept::other_read, word) + place : nullptr, row);
  return true;
}

}  // namespace

Touch begin_touch(const Warp& warp, HistoryTable& history, bool is_shared, U32 strength) {
  const Launch& launch = *warp.block->launch;
  Touch out;
  out.history = &history;
  out.is_shared = is_shared;
  out.began = launch.began;
  out.safe_tick = warp.safe_tick;
  out.mine.block = warp.block->number;
  out.mine.time = launch.time.load(std::memory_order_relaxed);
  out.mine.tick_how = warp.tick << AccessRecord::kTickBegin | strength;
  out.mine.pc_who = warp.pc << 10;
  return out;
}

void note_read(Warp& warp, U32 lane, const Touch& touch) {
  if (touch.bytes > 4 && note_words(warp, lane, touch, touch.bytes / 4, false, false)) return;
  for_words(touch, [&](U64 word, U32 bytes) { note_word_read(warp, lane, touch, word, bytes); });
}

void note_word_reads(Warp& warp, U32 mask, Touch& touch, const U64 (&offsets)[kLanes]) {
  HistoryTable& history = *touch.history;
  const AccessRecord first = record_of(warp, 0, touch, 15);
  U64 page = ~U64{0}, last_offset = ~U64{0};
  const AccessRecord* writes = nullptr;
  AccessRecord* reads = nullptr;
  AccessRecord* shared = nullptr;  // at last_offset: further lanes that read it add nothing but that they do
  U32 sharer = kLanes;             // the last of these; kLanes: none
  const auto note_sharer = [&] {
    if (sharer == kLanes) return;
    shared->add_reader({first.block, first.time, first.tick_how, first.pc_who + sharer});
    sharer = kLanes;
  };
  for_lanes(mask, [&](U32 lane) {
    if (offsets[lane] == last_offset && shared != nullptr) {
      sharer = lane;
      return;
    }
    note_sharer();
    last_offset = offsets[lane];
    const U64 word = offsets[lane] / 4, place = word % HistoryTable::kPage;
    if (word / HistoryTable::kPage != page) {
      page = word / HistoryTable::kPage;
      writes = history.find_page(Kept::write, word);
      reads = history.page(Kept::read, word);
    }
    // A record of its own each time: one in memory that changes would be waited for.
    const AccessRecord mine{first.block, first.time, first.tick_how, first.pc_who + lane};
    const AccessRecord* const write = writes == nullptr ? nullptr : writes + place;
    AccessRecord& read = reads[place];
    shared = nullptr;
    if (write != nullptr && (!is_harmless(touch, *write, mine) || is_own_write(touch, *write, mine))) {
      touch.offset = offsets[lane];
      note_word_read(warp, lane, touch, word, 15);
      return;
    }
    shared = &read;
    if (!read.is_of_warp(mine)) {
      keep_other(touch, word, read);
      read = mine;
    } else if (!read.is_of_moment(mine) || read.bytes() != 15) {
      read = mine;
    } else if (!read.is_of_thread(mine)) {
      read.add_reader(mine);
    }
  });
  note_sharer();
}

bool note_row(const Warp& warp, U32 first, U32 lanes, const Touch& touch, bool writes) {
  return note_words(warp, first, touch, lanes, true, writes);
}

void check_write(const Warp& warp, U32 lane, const Touch& touch, const Written& written) {
  for_words(touch, [&](U64 word, U32 bytes) {
    const AccessRecord mine = record_of(warp, lane, touch, bytes);
    check_word_write(warp, lane, touch, written, word, mine);
  });
}

void check_cached(const Warp& warp, U32 lane, const Touch& touch) {
  for_words(touch, [&](U64 word, U32 bytes) {
    const AccessRecord* const write = touch.history->find(Kept::write, word);
    if (write == nullptr || write->time < touch.began || (write->bytes() & bytes) == 0) return;
    Diagnosis out = diagnosis_at(warp, lane, Diagnosis::Kind::race, "global");
    out.other_line = warp.program->code[write->pc()].line;
    out.address = touch.base + touch.offset;
    out.allocation = *touch.name;
    const std::string line = std::to_string(out.other_line);
    out.message += "reads `" + *touch.name + "` at byte " + std::to_string(touch.offset) + ", which line " +
                   line + " of this launch wrote, by ld.global.nc (__ldg, or const __restrict__), " +
                   "which may return what was there before line " + line + " wrote it";
    throw Stop{std::move(out)};
  });
}

void note_write(Warp& warp, U32 lane, const Touch& touch, const Written& written) {
  if (touch.bytes > 4 && note_words(warp, lane, touch, touch.bytes / 4, false, true)) return;
  for_words(touch, [&](U64 word, U32 bytes) {
    const AccessRecord mine = record_of(warp, lane, touch, bytes);
    check_word_write(warp, lane, touch, written, word, mine);
    AccessRecord& write = touch.history->at(Kept::write, word);
    if (write.is_of_thread(mine) && write.is_of_moment(mine)) {
      write.add_bytes(bytes);
    } else {
      write = mine;
    }
  });
}

}  // namespace kgen::emulator
