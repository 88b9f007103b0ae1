#include "harness/emulator/shadow.hpp"

#include <algorithm>

#include "harness/emulator/launch.hpp"

namespace kgen::emulator {
namespace {

/// Whether what the record says happened before what the lane does now.
bool is_ordered(const Warp& warp, U32 lane, const AccessRecord& record) {
  const Block& block = *warp.block;
  if (record.block != block.number) {
    const Launch& launch = *block.launch;
    return launch.block_fences[record.block] > record.time &&
           launch.block_acquires[block.number] > record.time;
  }
  const U32 other = record.thread / kLanes, other_lane = record.thread % kLanes;
  if (other != warp.index) {
    if (warp.seen[other] >= record.tick) return true;
    return block.warps[other].fence_time > record.time && warp.acquire_time > record.time;
  }
  if (record.by_several != 0) return warp.last_sync[lane] > record.tick;
  return other_lane == lane ||
         (warp.last_sync[other_lane] > record.tick && warp.last_sync[lane] > record.tick);
}

bool is_conflict(const Warp& warp, U32 lane, const Touch& touch, const AccessRecord& record, U8 bytes) {
  const Block& block = *warp.block;
  if (record.time < block.launch->began || (record.bytes & bytes) == 0) return false;
  if (touch.is_shared && record.block != block.number) return false;  // of a block that was here before
  if (touch.is_strong && record.is_strong != 0) return false;
  return !is_ordered(warp, lane, record);
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
  out.other_line = warp.program->code[record.pc].line;
  out.address = touch.address;
  out.allocation = *touch.name;
  const bool same_block = record.block == block.number;
  const std::string other =
      record.by_several != 0 && same_block ? "threads of one warp"
      : same_block                         ? thread_text(block, record.thread)
                   : "block " + std::to_string(record.block) + " " + thread_text(block, record.thread);
  out.message += std::string(now) + " `" + *touch.name + "` at byte " + std::to_string(touch.offset) +
                 ", which " + other + " " + before + " at line " + std::to_string(out.other_line) +
                 " with no barrier between the two";
  if (same_block && record.thread / kLanes == warp.index) out.message += " (not even __syncwarp)";
  throw Stop{std::move(out)};
}

AccessRecord record_of(const Warp& warp, U32 lane, const Touch& touch, U8 bytes) {
  AccessRecord out = touch.mine;
  out.thread = static_cast<U16>(warp.index * kLanes + lane);
  out.bytes = bytes;
  out.by_several = touch.by_several ? 1 : 0;
  return out;
}

/// Calls f(history of a word, which of its bytes) for the words of a touch.
template <class F>
void for_words(const Touch& touch, F f) {
  const U64 end = touch.offset + touch.bytes;
  for (U64 word = touch.offset / 4; word * 4 < end; ++word) {
    const U64 first = std::max(touch.offset, word * 4) - word * 4, last = std::min(end - word * 4, U64{4});
    f(touch.history->at(word), static_cast<U8>(((1u << last) - 1u) & ~((1u << first) - 1u)));
  }
}

bool is_same_moment(const AccessRecord& a, const AccessRecord& b) {
  return a.block == b.block && a.time == b.time && a.tick == b.tick;
}

}  // namespace

Touch begin_touch(const Warp& warp, HistoryTable& history, bool is_shared, bool is_strong) {
  Touch out;
  out.history = &history;
  out.is_shared = is_shared;
  out.is_strong = is_strong;
  out.mine.block = warp.block->number;
  out.mine.time = warp.block->launch->time.load(std::memory_order_relaxed);
  out.mine.tick = warp.tick;
  out.mine.pc = warp.pc;
  out.mine.is_strong = is_strong ? 1 : 0;
  return out;
}

void note_read(Warp& warp, U32 lane, const Touch& touch) {
  for_words(touch, [&](WordHistory& word, U8 bytes) {
    const AccessRecord mine = record_of(warp, lane, touch, bytes);
    AccessRecord& read = word.read;
    const bool same_warp = read.thread / kLanes == mine.thread / kLanes;
    if (word.is_quiet && same_warp && is_same_moment(read, mine) && (bytes & ~read.bytes) == 0) {
      if (read.thread != mine.thread) read.by_several = 1;
      return;
    }
    if (is_conflict(warp, lane, touch, word.write, bytes))
      stop_race(warp, lane, touch, word.write, "wrote", "reads");
    // Other lanes of this warp find the same, unless it was the warp itself that wrote.
    word.is_quiet = word.write.block != mine.block || word.write.thread / kLanes != mine.thread / kLanes ||
                    word.write.time < warp.block->launch->began;
    const bool other_warp =
        word.read.block != mine.block || word.read.thread / kLanes != mine.thread / kLanes;
    if (other_warp) {
      word.other_read = word.read;
      word.read = mine;
    } else if (word.read.thread == mine.thread && is_same_moment(word.read, mine)) {
      word.read.bytes |= bytes;
    } else {
      word.read = mine;
    }
  });
}

void note_write(Warp& warp, U32 lane, const Touch& touch, bool changes) {
  for_words(touch, [&](WordHistory& word, U8 bytes) {
    word.is_quiet = false;
    if (changes) {
      if (is_conflict(warp, lane, touch, word.write, bytes))
        stop_race(warp, lane, touch, word.write, "wrote", "writes another value to");
      if (is_conflict(warp, lane, touch, word.read, bytes))
        stop_race(warp, lane, touch, word.read, "read", "writes");
      if (is_conflict(warp, lane, touch, word.other_read, bytes))
        stop_race(warp, lane, touch, word.other_read, "read", "writes");
    }
    const AccessRecord mine = record_of(warp, lane, touch, bytes);
    if (word.write.thread == mine.thread && is_same_moment(word.write, mine)) {
      word.write.bytes |= bytes;
    } else {
      word.write = mine;
    }
  });
}

void note_warp_sync(Warp& warp, U32 lanes) {
  ++warp.tick;
  for_lanes(lanes, [&](U32 lane) { warp.last_sync[lane] = warp.tick; });
}

void note_fence(Warp& warp) {
  Launch& launch = *warp.block->launch;
  warp.fence_time = launch.time.fetch_add(1) + 1;
  launch.block_fences[warp.block->number] = warp.fence_time;
}

void note_acquire(Warp& warp) {
  Launch& launch = *warp.block->launch;
  warp.acquire_time = launch.time.fetch_add(1) + 1;
  launch.block_acquires[warp.block->number] = warp.acquire_time;
}

void release_into(Warp& warp, std::vector<U32>& clock) {
  clock.resize(warp.seen.size(), 0);
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], warp.seen[i]);
  clock[warp.index] = std::max(clock[warp.index], warp.tick);
  ++warp.tick;
}

void acquire_from(Warp& warp, U32 lanes, const std::vector<U32>& clock) {
  for (std::size_t i = 0; i < clock.size(); ++i) warp.seen[i] = std::max(warp.seen[i], clock[i]);
  note_warp_sync(warp, lanes);
}

}  // namespace kgen::emulator
