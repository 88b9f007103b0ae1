#include "harness/emulator/block.hpp"

#include <algorithm>
#include <cstring>

#include "harness/emulator/access.hpp"
#include "harness/emulator/barrier_kind.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/shadow.hpp"
#include "harness/emulator/special.hpp"
#include "harness/emulator/warp_paths.hpp"

namespace kgen::emulator {
namespace {

using Kind = Diagnosis::Kind;

/// Instructions of a block without a change of memory, after which a loop that looks at memory waits for what
/// another block must bring.
constexpr U64 kSpinLimit = 3'000'000;
constexpr U64 kRecentPoll = 20'000;

void begin_warp(Block& block, Warp& warp, U32 index, bool is_first) {
  const Program& program = *block.launch->program;
  warp.block = &block;
  warp.program = &program;
  warp.index = index;
  const U32 first = index * kLanes;
  const U32 lanes = std::min(kLanes, block.threads - first);
  warp.live = lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
  warp.paths.clear();
  warp.joins.clear();
  warp.frames.clear();
  Path path;
  path.pc = block.launch->kernel->begin;
  path.mask = warp.live;
  warp.paths.push_back(path);
  warp.tick = 1;
  warp.seen.assign(block.warps.size(), 0);
  std::fill(std::begin(warp.last_sync), std::end(warp.last_sync), 0);
  std::fill(std::begin(warp.last_sync) + lanes, std::end(warp.last_sync), kMostTicks);  // nobody is there
  warp.lanes_seen.clear();
  warp.safe_tick = 0;
  warp.fence_time = warp.release_time = warp.acquire_time = 0;
  warp.has_fenced = false;
  warp.open_copies.clear();
  warp.copy_groups.clear();
  warp.doubt.any = false;
  warp.frame_base = 0;
  warp.frame = -1;
  warp.pc = block.launch->kernel->begin;
  std::fill(warp.local_written.begin(), warp.local_written.end(), U8{0});
  reserve_local(warp, block.launch->kernel->frame_bytes);
  fill_registers(warp, is_first);
}

std::string place_of(const Warp& warp, const Path& path) {
  const Instr& instr = warp.program->code[path.pc];
  const U32 lanes = static_cast<U32>(std::popcount(path.mask));
  const std::string threads = lanes == kLanes
                                  ? "warp " + std::to_string(warp.index)
                                  : std::to_string(lanes) + " lanes of warp " + std::to_string(warp.index);
  const std::string line = instr.line > 0 ? " at line " + std::to_string(instr.line) : "";
  return threads + " at " + warp.program->names[static_cast<std::size_t>(instr.name)] + line;
}

[[noreturn]] void stop_deadlock(Block& block) {
  std::string where;
  Warp* first = nullptr;
  std::size_t shown = 0, waiting = 0;
  for (Warp& warp : block.warps) {
    for (const Path& path : warp.paths) {
      if (first == nullptr) {
        first = &warp;
        warp.pc = path.pc;
      }
      ++waiting;
      const std::string text = place_of(warp, path);
      if (shown++ < 4) where += (where.empty() ? "" : ", ") + text;
    }
  }
  if (waiting > 4) where += ", and " + std::to_string(waiting - 4) + " more";
  stop_at(*first, first_lane(first->paths.front().mask), Kind::bad_sync, "deadlock",
          "a deadlock: no thread of the block can go on; " + where + " wait");
}

[[noreturn]] void stop_spinning(Block& block) {
  Warp* spinning = nullptr;
  for (Warp& warp : block.warps) {
    if (spinning == nullptr && has_ready_path(warp)) spinning = &warp;
  }
  const auto ready = std::find_if(spinning->paths.begin(), spinning->paths.end(),
                                  [](const Path& p) { return p.state == Path::State::ready; });
  stop_at(
      *spinning, first_lane(ready->mask), Kind::bad_sync, "spin",
      "a loop waits for a value that no running thread changes; blocks of a launch that is not cooperative "
      "may run one after the other, in any order, so none may wait for another that may not have begun: take "
      "the block's number from an atomic ticket and wait for earlier ones alone, or say \"cooperative\": "
      "true in the plan");
}

/// Lets a loop that waits go on where another block may still help it; stops the launch where none can.
void watch_spins(Block& block) {
  Launch& launch = *block.launch;
  if (block.is_held && block.last_change > block.spins_since) {
    block.is_held = false;
    launch.spins.release(block.number);
  }
  const auto since = [&](U64 then) { return block.instructions - std::min(then, block.instructions); };
  const U64 quiet = since(std::max(block.last_change, block.spins_since));
  if (block.last_poll == 0 || since(block.last_poll) >= kRecentPoll || quiet <= kSpinLimit) return;
  block.is_held = true;
  if (!launch.spins.may_go_on(block.number, launch.changes, launch.stopped)) stop_spinning(block);
  block.spins_since = block.instructions;
}

/// A warp whose lanes wait at the same barrier in different places, of the kind that wants them together
/// (bar.sync, barrier.sync.aligned).
void check_convergence(Warp& warp, U32 barrier) {
  const Path* first = nullptr;
  for (const Path& path : warp.paths) {
    if (path.state != Path::State::at_barrier || path.barrier != barrier) continue;
    if (!warp.program->code[path.pc].flag_returns) continue;
    if (first == nullptr) {
      first = &path;
    } else if (path.pc != first->pc) {
      warp.pc = path.pc;
      const Instr& other = warp.program->code[first->pc];
      Diagnosis out = diagnosis_at(warp, first_lane(path.mask), Kind::bad_sync, "barrier_divergence");
      out.other_line = other.line;
      out.message += "lanes of one warp wait at different barriers (lines " + std::to_string(out.line) +
                     " and " + std::to_string(other.line) +
                     "): __syncthreads must be reached by a warp's lanes together";
      throw Stop{std::move(out)};
    }
  }
}

void give_result(Warp& warp, const Path& path, const Instr& instr, U32 count, U32 threads) {
  if (instr.d == kNoSlot) return;
  const auto kind = static_cast<BarrierKind>(instr.choice);
  if (kind == BarrierKind::popc) {
    for_lanes(path.mask, [&](U32 lane) { warp.at<U32>(instr.d)[lane] = count; });
    return;
  }
  const bool holds = kind == BarrierKind::all ? count == threads : count > 0;
  U32& predicate = warp.predicate(instr.d);
  predicate = holds ? predicate | path.mask : predicate & ~path.mask;
}

void complete(Block& block, U32 index) {
  Barrier& barrier = block.barriers[index];
  for (Warp& warp : block.warps) {
    check_convergence(warp, index);
    U32 lanes = 0;
    for (Path& path : warp.paths) {
      if (path.state != Path::State::at_barrier || path.barrier != index) continue;
      give_result(warp, path, warp.program->code[path.pc], barrier.count, barrier.arrived);
      lanes |= path.mask;
      path.state = Path::State::ready;
      ++path.pc;
    }
    if (lanes != 0) acquire_from(warp, lanes, barrier.seen);
  }
  barrier = {};
  block.last_change = block.instructions;
}

void check_barrier(Block& block, U32 index) {
  const Barrier& barrier = block.barriers[index];
  if (!barrier.in_use) return;
  const U32 expected = barrier.expected == 0 ? live_threads(block) : barrier.expected;
  if (barrier.arrived >= expected) complete(block, index);
}

}  // namespace

U32 live_threads(const Block& block) {
  U32 out = 0;
  for (const Warp& warp : block.warps) out += static_cast<U32>(std::popcount(warp.live));
  return out;
}

void recheck_barriers(Block& block) {
  for (U32 i = 0; i < block.barriers.size(); ++i) check_barrier(block, i);
}

/// What a barrier's operand says, of all lanes alike.
U32 barrier_operand(Warp& warp, U32 slot, U32 mask) {
  if (slot == kNoSlot) return 0;
  const U32* const values = warp.at<U32>(slot);
  const U32 value = values[first_lane(mask)];
  for (U32 rest = mask; rest != 0; rest &= rest - 1) {
    const U32 lane = first_lane(rest);
    if (values[lane] != value)
      stop_at(warp, lane, Kind::not_emulated, "barrier_number",
              "lanes of one warp name different barriers, or different numbers of threads");
  }
  return value;
}

void arrive_at_barrier(Warp& warp, Path& path, const Instr& instr, U32 mask) {
  Block& block = *warp.block;
  const U32 lane = first_lane(mask);
  const U32 index = barrier_operand(warp, instr.a, mask), threads = barrier_operand(warp, instr.b, mask);
  if (index >= block.barriers.size()) {
    stop_at(warp, lane, Kind::bad_sync, "barrier_number",
            "barrier " + std::to_string(index) + " does not exist; there are 0 to 15");
  }
  if (threads % kLanes != 0) {
    stop_at(warp, lane, Kind::bad_sync, "barrier_count",
            "a barrier for " + std::to_string(threads) + " threads, which is no multiple of 32");
  }
  Barrier& barrier = block.barriers[index];
  if (barrier.in_use && barrier.expected != threads) {
    stop_at(warp, lane, Kind::bad_sync, "barrier_count",
            "barrier " + std::to_string(index) + " is used for " + std::to_string(threads) +
                " threads here and for " + std::to_string(barrier.expected) + " elsewhere (0: all)");
  }
  barrier.in_use = true;
  barrier.expected = threads;
  barrier.arrived += static_cast<U32>(std::popcount(mask));
  if (instr.c != kNoSlot) {
    const U32 predicate = warp.predicate(instr.c);
    barrier.count += static_cast<U32>(std::popcount(mask & (instr.flag ? ~predicate : predicate)));
  }
  if (static_cast<BarrierKind>(instr.choice) == BarrierKind::arrive) {
    release_lanes_into(warp, mask, barrier.seen);
    ++path.pc;
  } else {
    release_into(warp, barrier.seen);
    path.state = Path::State::at_barrier;
    path.barrier = index;
  }
  check_barrier(block, index);
}

void Block::begin(Launch& of, U64 which) {
  const bool is_first = launch != &of;  // registers of numbers stay as they are from block to block
  launch = &of;
  number = static_cast<U32>(which);
  const auto& grid = of.settings.grid;
  index = {static_cast<U32>(which % grid[0]), static_cast<U32>(which / grid[0] % grid[1]),
           static_cast<U32>(which / grid[0] / grid[1])};
  threads = of.settings.block[0] * of.settings.block[1] * of.settings.block[2];
  const std::size_t count = (threads + kLanes - 1) / kLanes;
  const std::size_t bytes = of.kernel->shared_bytes + of.settings.dynamic_shared;
  // Nobody may rely on what shared memory holds at first; a pattern shows it where marks cannot.
  shared.assign(bytes, std::byte{0xff});
  shared_written.assign(bytes, U8{0});
  std::fill_n(shared.begin() + static_cast<I64>(of.kernel->reserved_shared), of.kernel->reserved_bytes,
              std::byte{0});
  std::fill_n(shared_written.begin() + static_cast<I64>(of.kernel->reserved_shared),
              of.kernel->reserved_bytes, U8{1});
  shared_history.resize(bytes);
  copies_due = 0;
  due_of_word.clear();
  region_begin = region_end = 0;
  for (Barrier& barrier : barriers) barrier = {};
  phases.clear();
  instructions = last_change = last_poll = spins_since = 0;
  is_held = false;
  warps.resize(count);
  // Hardware promises no order of warps: what depends on one shows between launches.
  first_warp = ((of.settings.seed + which) * 0x9e3779b97f4a7c15ull) >> 32;
  const std::size_t stride = (of.program->register_bytes + 63) / 64 * 64;
  register_memory.resize(stride * count + 64);
  // A register that nothing has written is a NaN, and no place in memory.
  if (is_first) std::fill(register_memory.begin(), register_memory.end(), std::byte{0xff});
  const auto base = (reinterpret_cast<std::uintptr_t>(register_memory.data()) + 63) / 64 * 64;
  for (std::size_t i = 0; i < count; ++i) {
    warps[i].registers = reinterpret_cast<std::byte*>(base) + stride * i;
    begin_warp(*this, warps[i], static_cast<U32>(i), is_first);
  }
}

bool Block::run_round(U64 quantum) {
  bool ran = false, alive = false;
  for (std::size_t i = 0; i < warps.size(); ++i) {
    Warp& warp = warps[(first_warp + i) % warps.size()];
    if (warp.paths.empty()) continue;
    alive = true;
    if (!has_ready_path(warp)) continue;
    ran = true;
    run_warp(warp, quantum);
  }
  if (!alive) return false;
  if (!ran) {
    // Lanes that wait for others of their warp at a join need not: those others may wait for them.
    bool any = std::any_of(warps.begin(), warps.end(), has_ready_path);
    for (Warp& warp : warps) any = release_all_waiting(warp) || any;
    if (!any) stop_deadlock(*this);
  }
  if (!launch->settings.cooperative) watch_spins(*this);
  return true;
}

}  // namespace kgen::emulator
