#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/emulator/lanes.hpp"
#include "harness/emulator/program.hpp"

namespace kgen::emulator {

struct Block;

/// Lanes that run together: same place, same calls.
struct Path {
  enum class State : U8 { ready, at_sync, at_barrier };
  U32 pc = 0, mask = 0;
  int join = -1;   ///< where these lanes meet others again; -1: nowhere
  int frame = -1;  ///< of the function they are in; -1: the kernel
  State state = State::ready;
  U32 barrier = 0;
  U64 spent = 0;  ///< instructions since it was chosen
};

/// A place where lanes that went different ways go on together: the nearest common post-dominator of a
/// branch, or behind a call.
struct Join {
  U32 pc = kNever;  ///< kNever: reached by ret
  U32 resume = 0;   ///< where they go on
  U32 pending = 0, arrived = 0;
  int parent = -1, frame = -1;  ///< of the lanes that go on
  bool in_use = false;
};

/// A call that has not returned.
struct Frame {
  U32 call = 0;  ///< index in Program::calls
  int caller = -1;
  int join = -1;
  U64 base = 0;  ///< in local memory
  U32 depth = 0;
  std::vector<std::byte> saved;  ///< registers of a function that was active already
  std::vector<U32> saved_doubt;  ///< WarpDoubt::masks of them
  bool in_use = false;
};

/// Copies begun by cp.async: done when they are waited for.
struct AsyncCopy {
  U64 from = 0, to = 0;  ///< global address, place in shared memory
  U32 bytes = 0, source_bytes = 0;
  U32 lane = 0, pc = 0;
  std::array<std::byte, 16> value{};  ///< what it brings, as it was when it began
};

/// What a load found that nothing has written.
struct UnwrittenRead {
  U64 address = 0;
  I64 offset = 0;  ///< in the variable
  U32 bytes = 0;
  const std::string* name = nullptr;
  const char* space = nullptr;
};

/// Which values come from bytes that nothing has written: doubt.hpp.
struct WarpDoubt {
  bool any = false;                              ///< false: none, and nothing else here counts
  std::vector<U32> masks;                        ///< of lanes, one a byte of a register
  std::vector<std::array<U32, kLanes>> origins;  ///< by register: the load's place in the code and the byte
  U64 left = 0;                                  ///< Warp::left when it began
  std::map<U32, std::array<UnwrittenRead, kLanes>> reads;  ///< by place in the code
};

using LaneTicks = std::array<U32, kLanes>;

/// What those know who get past a barrier: up to which tick of each warp, and of lanes of one by one.
struct Clock {
  std::vector<U32> warps;
  std::map<U32, LaneTicks> lanes;  ///< by warp

  void join(const Clock& other);
};

/// 32 lanes. Registers are stored register by register, 32 lanes each; predicates as masks.
struct Warp {
  template <class T>
  T* at(U32 slot) {
    return reinterpret_cast<T*>(registers + slot);
  }
  U32& predicate(U32 slot) { return *at<U32>(slot); }

  Block* block = nullptr;
  const Program* program = nullptr;
  std::byte* registers = nullptr;
  U32 index = 0;       ///< in the block
  U32 live = 0;        ///< lanes that have not ended
  U32 pc = 0;          ///< of the instruction at hand
  U64 frame_base = 0;  ///< of the function at hand, in local memory
  U64 frame_end = 0;   ///< behind it lies nothing, or what a call that has returned left there
  int frame = -1;
  bool wants_yield = false;
  U64 left = 0;  ///< instructions until other warps have their turn

  std::vector<Path> paths;
  std::vector<Join> joins;
  std::vector<Frame> frames;

  // What other warps and lanes have seen of this one: shadow.hpp.
  U32 tick = 1;
  std::vector<U32> seen;  ///< by warp: its tick up to which all is known here
  U32 last_sync[kLanes] = {};
  std::vector<LaneTicks> lanes_seen;  ///< by lane: of the others, beside last_sync; empty: nothing
  U32 safe_tick =
      0;  ///< what any warp of the block did up to its tick of this number is in order with all here
  U32 fence_time = 0, release_time = 0, acquire_time = 0;
  bool has_fenced = false;  ///< since its last barrier: a volatile write to shared memory is now a flag

  std::vector<std::byte> local;  ///< lane after lane, local_bytes each
  std::vector<U8> local_written;
  U64 local_bytes = 0;

  WarpDoubt doubt;

  std::vector<AsyncCopy> open_copies;               ///< not committed
  std::vector<std::vector<AsyncCopy>> copy_groups;  ///< committed, oldest first
};

/// Runs ready paths for about `quantum` instructions. Throws Stop.
void run_warp(Warp& warp, U64 quantum);

/// Whether a path of the warp can go on.
bool has_ready_path(const Warp& warp);

}  // namespace kgen::emulator
