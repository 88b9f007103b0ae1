#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/emulator/diagnosis.hpp"
#include "harness/emulator/instr_counts.hpp"
#include "harness/emulator/memory.hpp"
#include "harness/emulator/warp.hpp"

namespace kgen::emulator {

struct Launch;

/// A named barrier of a block (bar.sync 0 .. 15).
struct Barrier {
  U32 arrived = 0;   ///< threads
  U32 expected = 0;  ///< threads; 0: all that live
  U32 count = 0;     ///< bar.red: lanes whose predicate holds
  bool in_use = false;
  Clock seen;  ///< of those who arrived
};

/// What an mbarrier object in shared memory lets through: the clocks of those who arrived, in its phase and
/// in those that have ended.
struct PhaseClock {
  U64 place = 0;
  Clock arrived, ended;
};

/// A block on its way.
struct Block {
  void begin(Launch& of, U64 number);
  /// Lets each warp run a while. False: all threads have ended. Throws Stop.
  bool run_round(U64 quantum);

  Launch* launch = nullptr;
  InstrCounts* counts = nullptr;  ///< one an instruction, where the launch counts
  U32 number = 0;
  std::array<U32, 3> index{0, 0, 0};
  U32 threads = 0;
  std::vector<Warp> warps;
  U64 first_warp = 0;  ///< whose turn is first in a round, modulo their number
  std::vector<std::byte, std::allocator<std::byte>> register_memory;
  std::vector<std::byte> shared;
  std::vector<U8> shared_written;
  HistoryTable shared_history;
  U64 copies_due = 0;            ///< copies by cp.async that nobody has waited for yet
  std::vector<U32> due_of_word;  ///< of them, by the word of shared memory where they land; made by the first
  U64 region_begin = 0, region_end = 0;  ///< the shared variable that was touched last
  const std::string* region_name = nullptr;
  std::array<Barrier, 16> barriers;
  std::vector<PhaseClock> phases;

  U64 instructions = 0;  ///< of warps
  U64 last_change = 0;   ///< value of `instructions` when memory changed last
  U64 spins_since = 0;   ///< when a loop that waits was let go on last
  bool is_held = false;  ///< SpinWatch
  U64 last_poll = 0;     ///< when something was looked at that another thread may change
};

/// Called at a barrier instruction: the path waits, or all go on.
void arrive_at_barrier(Warp& warp, Path& path, const Instr& instr, U32 mask);
/// After threads ended: barriers may be complete now.
void recheck_barriers(Block& block);
U32 live_threads(const Block& block);

}  // namespace kgen::emulator
