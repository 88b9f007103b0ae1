#pragma once

#include "harness/emulator/block.hpp"

/// Who may have touched what at the same time. Every warp has a tick that grows where it synchronises; `seen`
/// says up to which tick of each other warp its work is known here (vector clocks: Fidge 1988, Mattern 1989),
/// joined at barriers and mbarriers. Within a warp two lanes are ordered by a __syncwarp of both, or where
/// one waits at an mbarrier for the other's arrival (`lanes_seen`). Between blocks, and beside barriers, a
/// fence behind the first access with an atomic operation or volatile write behind the fence, and an atomic
/// or volatile read before the second, count as an order: the emulator would rather miss a race than report
/// one that is none.
namespace kgen::emulator {

/// A warp's access to a variable or an allocation: what is common to its lanes, then one lane's bytes.
struct Touch {
  HistoryTable* history = nullptr;
  bool is_shared = false;             ///< shared memory of the block, else global memory
  bool by_several = false;            ///< all lanes of the warp that are at work ask for the same bytes
  U32 began = 0;                      ///< time of the launch's begin: records before it say nothing
  U32 safe_tick = 0;                  ///< of the warp: Warp::safe_tick
  AccessRecord mine;                  ///< without thread and bytes
  U64 base = 0;                       ///< address of the history's first byte
  const std::string* name = nullptr;  ///< of what is touched

  U64 offset = 0;  ///< in the history
  U32 bytes = 0;
};
/// `strength`: AccessRecord::kStrong and kOfBlock, or 0.
Touch begin_touch(const Warp& warp, HistoryTable& history, bool is_shared, U32 strength);

/// Bytes that a lane is about to write; null: an atomic operation, whose result is not known yet.
struct Written {
  const std::byte* place = nullptr;
  const std::byte* value = nullptr;
};

/// Records a read; stops the launch where another thread's write is unordered with it.
void note_read(Warp& warp, U32 lane, const Touch& touch);
/// note_read() of all lanes of the mask, each of one word at offsets[lane].
void note_word_reads(Warp& warp, U32 mask, Touch& touch, const U64 (&offsets)[kLanes]);
/// note_read() or note_write() of `lanes` lanes from `first` on, which touch neighbouring words from
/// touch.offset on, one each, in one look. False: nothing was done, each lane must be looked at.
bool note_row(const Warp& warp, U32 first, U32 lanes, const Touch& touch, bool writes);
/// Records a write; stops the launch where another thread's access is unordered with it and it writes other
/// bytes than there are (a race of equal values is none).
void note_write(Warp& warp, U32 lane, const Touch& touch, const Written& written);
/// What note_write() stops for, of a write that only begins; records nothing.
void check_write(const Warp& warp, U32 lane, const Touch& touch, const Written& written);
/// Stops a read through a cache that is not coherent (ld.global.nc) of what this launch has written.
void check_cached(const Warp& warp, U32 lane, const Touch& touch);

/// A __syncwarp of the lanes.
void note_warp_sync(Warp& warp, U32 lanes);
/// A membar or fence; before an atomic operation or a strong write (a flag: what came before the last fence
/// is there for who sees it); behind an atomic operation or a strong read. `of_block`: of .cta scope, no
/// order between blocks.
void note_fence(Warp& warp, bool of_block);
void note_release(Warp& warp, bool of_block);
void note_acquire(Warp& warp, bool of_block);

/// Publishes what the warp did into `clock`; of single lanes for others of the warp that may wait for them;
/// learns what is in it.
void release_into(Warp& warp, Clock& clock);
void release_lanes_into(Warp& warp, U32 lanes, Clock& clock);
void acquire_from(Warp& warp, U32 lanes, const Clock& clock);

}  // namespace kgen::emulator
