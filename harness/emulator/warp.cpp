#include "harness/emulator/warp.hpp"

#include "harness/emulator/block.hpp"
#include "harness/emulator/doubt.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/warp_paths.hpp"

namespace kgen::emulator {
namespace {

/// A path that ran so long lets the warp's others run.
constexpr U64 kPathQuantum = 20'000;

/// What became of the path at hand.
enum class Event : U8 { goes_on, gone, waits, yields };

/// Lanes of the path whose instruction at `pc` has not run and whose member mask is complete, with those of
/// other paths that wait at the same place. The instruction runs for all of them at once.
struct Gathering {
  U32 lanes = 0;
  bool complete = false;
};

Gathering gather(Warp& warp, std::size_t own, const Instr& instr, U32 mask) {
  Gathering out{mask, true};
  for (std::size_t i = 0; i < warp.paths.size(); ++i) {
    const Path& other = warp.paths[i];
    if (i != own && other.state == Path::State::at_sync && other.pc == warp.pc && other.frame == warp.frame)
      out.lanes |= other.mask;
  }
  const U32* const members = warp.at<U32>(instr.c);
  for_lanes(out.lanes, [&](U32 lane) {
    const U32 needed = members[lane] & warp.live;
    if ((needed & ~out.lanes) != 0) out.complete = false;
    if ((members[lane] & (1u << lane)) == 0) {
      stop_at(warp, lane, Diagnosis::Kind::bad_sync, "member_mask",
              "lane " + std::to_string(lane) + " is not in the member mask of its own " +
                  warp.program->names[static_cast<std::size_t>(instr.name)]);
    }
  });
  return out;
}

/// Runs a warp-wide instruction once its lanes are together; true: it ran.
bool run_synchronised(Warp& warp, std::size_t own, const Instr& instr, U32 mask) {
  const U32* const members = warp.at<U32>(instr.c);
  U32 common = kAllLanes;
  for_lanes(mask, [&](U32 lane) { common &= members[lane]; });
  const bool whole = mask == warp.live && common == kAllLanes;
  if (whole) {
    instr.run(warp, instr, mask);
    return true;
  }
  const Gathering gathering = gather(warp, own, instr, mask);
  if (!gathering.complete) return false;
  instr.run(warp, instr, gathering.lanes);
  for (std::size_t i = 0; i < warp.paths.size(); ++i) {
    Path& other = warp.paths[i];
    if (i == own || other.state != Path::State::at_sync || other.pc != warp.pc || other.frame != warp.frame)
      continue;
    other.state = Path::State::ready;
    ++other.pc;
  }
  return true;
}

/// Splits the path at a branch; it goes on with one side.
Event branch(Warp& warp, std::size_t own, const Instr& instr, U32 taken) {
  Path& path = warp.paths[own];
  const U32 fallen = path.mask & ~taken;
  if (warp.block->counts != nullptr && taken != 0 && fallen != 0) ++warp.block->counts[path.pc].divergent;
  if (taken == 0 || fallen == 0) {
    path.pc = taken == 0 ? path.pc + 1 : instr.target;
    return Event::goes_on;
  }
  const U32 next = path.pc + 1;
  int join = path.join;
  if (instr.reconverge != kNever) {
    join = make_join(warp, path, instr.reconverge);
    warp.paths[own].join = join;
  }
  const bool backwards = instr.target <= path.pc;
  Path other = warp.paths[own];
  Path& mine = warp.paths[own];
  mine.mask = backwards ? taken : fallen;
  mine.pc = backwards ? instr.target : next;
  other.mask = backwards ? fallen : taken;
  other.pc = backwards ? next : instr.target;
  other.spent = 0;
  warp.paths.push_back(other);
  return Event::goes_on;
}

Event branch_indexed(Warp& warp, std::size_t own, const Instr& instr, U32 mask) {
  const Path path = warp.paths[own];
  const U32* const index = warp.at<U32>(instr.a);
  int join = path.join;
  if (instr.reconverge != kNever) join = make_join(warp, path, instr.reconverge);
  bool first = true;
  for (U32 left = mask; left != 0;) {
    const U32 chosen = index[first_lane(left)];
    U32 lanes = 0;
    for_lanes(left, [&](U32 lane) { lanes |= index[lane] == chosen ? 1u << lane : 0; });
    left &= ~lanes;
    if (chosen >= static_cast<U32>(instr.imm)) {
      stop_at(warp, first_lane(lanes), Diagnosis::Kind::fault, "illegal_instruction",
              "an indexed branch past the end of its list");
    }
    Path next = path;
    next.join = join;
    next.mask = lanes;
    next.pc = warp.program->slots[instr.list + chosen];
    if (first) {
      warp.paths[own] = next;
    } else {
      warp.paths.push_back(next);
    }
    first = false;
  }
  return Event::goes_on;
}

Event leave(Warp& warp, std::size_t own, const Instr& instr, U32 mask) {
  Path path = warp.paths[own];
  const U32 staying = path.mask & ~mask;
  if (staying != 0) {
    warp.paths[own].mask = staying;
    ++warp.paths[own].pc;
  } else {
    warp.paths[own].mask = 0;
  }
  if (instr.flow == Flow::ret && path.frame >= 0) {
    return_from_call(warp, path, mask);
  } else {
    end_lanes(warp, path, mask);
  }
  return staying != 0 ? Event::goes_on : Event::gone;
}

Event call(Warp& warp, std::size_t own, const Instr& instr, U32 mask) {
  Path path = warp.paths[own];
  const U32 staying = path.mask & ~mask;
  if (staying != 0) {
    // Those that do not call wait behind the call for those that do.
    const int join = make_join(warp, path, path.pc + 1);
    Path other = path;
    other.join = join;
    other.mask = staying;
    ++other.pc;
    path.join = join;
    warp.paths.push_back(other);
  }
  enter_call(warp, path, instr, mask);
  warp.paths[own] = path;
  return Event::goes_on;
}

[[noreturn]] void stop_not_emulated(Warp& warp, const Instr& instr, U32 mask) {
  const std::string& name = warp.program->names[static_cast<std::size_t>(instr.name)];
  stop_at(warp, first_lane(mask), Diagnosis::Kind::not_emulated, name,
          "the emulator does not know the instruction `" + name + "`");
}

Event run_special(Warp& warp, std::size_t own, const Instr& instr, U32 mask) {
  switch (instr.flow) {
    case Flow::branch:
      return branch(warp, own, instr, mask);
    case Flow::branch_indexed:
      return branch_indexed(warp, own, instr, mask);
    case Flow::call:
      return call(warp, own, instr, mask);
    case Flow::ret:
    case Flow::exit:
      return leave(warp, own, instr, mask);
    case Flow::warp_sync:
      if (!run_synchronised(warp, own, instr, mask)) {
        warp.paths[own].state = Path::State::at_sync;
        return Event::waits;
      }
      ++warp.paths[own].pc;
      return Event::goes_on;
    case Flow::barrier: {
      arrive_at_barrier(warp, warp.paths[own], instr, mask);
      return warp.paths[own].state == Path::State::ready ? Event::goes_on : Event::waits;
    }
    case Flow::yield:
      instr.run(warp, instr, mask);
      ++warp.paths[own].pc;
      return warp.wants_yield ? Event::yields : Event::goes_on;
    default:
      stop_not_emulated(warp, instr, mask);
  }
}

/// A guarded instruction of another kind than a branch that only some lanes do and that may wait: those that
/// do not go on behind it.
void split_guarded(Warp& warp, std::size_t own, U32 mask) {
  const Path path = warp.paths[own];
  if (mask == path.mask) return;
  const int join = make_join(warp, path, path.pc + 1);
  Path other = path;
  other.mask = path.mask & ~mask;
  other.join = join;
  ++other.pc;
  warp.paths[own].mask = mask;
  warp.paths[own].join = join;
  warp.paths.push_back(other);
}

U32 guarded_mask(Warp& warp, const Instr& instr, U32 mask) {
  const U32 predicate = warp.predicate(instr.guard);
  return mask & (instr.guard_negated ? ~predicate : predicate);
}

void count(InstrCounts& counts, U64 lanes, U32 active) {
  ++counts.warps;
  counts.lanes += lanes;
  counts.active += static_cast<U64>(std::popcount(active));
}

/// Runs one path until something happens to it or `Warp::left` instructions are spent. `kCounts`: the launch
/// counts what each instruction does. `kDoubts`: values of the warp are in doubt; without, it returns where a
/// load begins it, which leaves nothing to be spent, so that no other instruction need look.
template <bool kCounts, bool kDoubts>
Event run_path(Warp& warp, std::size_t own) {
  const Instr* const code = warp.program->code.data();
  U64 lanes = 0;
  Event event = Event::goes_on;
  while (event == Event::goes_on && warp.left > 0 && warp.doubt.any == kDoubts) {
    Path& path = warp.paths[own];
    U32 pc = path.pc;
    const U32 mask = path.mask;
    const Join* const join = path.join >= 0 ? &warp.joins[static_cast<std::size_t>(path.join)] : nullptr;
    const U32 stop = join != nullptr && join->frame == path.frame ? join->pc : kNever;
    warp.frame = path.frame;
    warp.frame_base = path.frame < 0 ? 0 : warp.frames[static_cast<std::size_t>(path.frame)].base;
    warp.frame_end = warp.frame_base + function_of(warp, path.frame).frame_bytes;
    const U64 before = warp.left;
    const Instr* special = nullptr;
    U32 special_mask = 0;
    while (warp.left > 0) {
      if (pc == stop) break;
      const Instr& instr = code[pc];
      --warp.left;
      U32 active = mask;
      if (instr.guard != kNoSlot) active = guarded_mask(warp, instr, mask);
      if constexpr (kDoubts) follow_doubt(warp, instr, mask, active);
      if constexpr (kCounts) {
        const auto population = static_cast<U64>(std::popcount(mask));
        if (instr.flow != Flow::warp_sync) count(warp.block->counts[pc], population, active);
      }
      if (instr.flow == Flow::plain) {
        warp.pc = pc++;
        if (active != 0) instr.run(warp, instr, active);
        continue;
      }
      if (active == 0) {
        ++pc;
        continue;
      }
      special = &instr;
      special_mask = active;
      break;
    }
    if (!kDoubts && warp.doubt.any) warp.left = warp.doubt.left;
    const U64 ran = before - warp.left;
    const auto population = static_cast<U64>(std::popcount(mask));
    warp.block->instructions += ran;
    lanes += ran * population;
    path.spent += ran;
    path.pc = pc;
    if (special != nullptr) {
      warp.pc = pc;
      if (special->flow == Flow::warp_sync || special->flow == Flow::barrier)
        split_guarded(warp, own, special_mask);
      event = run_special(warp, own, *special, special_mask);
      if constexpr (kCounts) {  // what waits for other lanes comes here again
        if (special->flow == Flow::warp_sync && event == Event::goes_on)
          count(warp.block->counts[pc], population, special_mask);
      }
    } else if (pc == stop) {
      const int at = path.join;
      warp.paths[own].mask = 0;
      arrive_at_join(warp, at, mask);
      event = Event::gone;
    }
  }
  warp.block->launch->lane_instructions.fetch_add(lanes, std::memory_order_relaxed);
  return event;
}

void remove_path(Warp& warp, std::size_t index) {
  warp.paths[index] = warp.paths.back();
  warp.paths.pop_back();
}

}  // namespace

bool has_ready_path(const Warp& warp) {
  for (const Path& path : warp.paths) {
    if (path.state == Path::State::ready) return true;
  }
  return false;
}

void run_warp(Warp& warp, U64 quantum) {
  warp.wants_yield = false;
  warp.left = quantum;
  while (warp.left > 0) {
    std::size_t own = warp.paths.size();
    for (std::size_t i = warp.paths.size(); i-- > 0;) {
      if (warp.paths[i].state == Path::State::ready) {
        own = i;
        break;
      }
    }
    if (own == warp.paths.size()) return;
    const bool counts = warp.block->counts != nullptr, doubts = warp.doubt.any;
    const auto run = counts ? (doubts ? run_path<true, true> : run_path<true, false>)
                            : (doubts ? run_path<false, true> : run_path<false, false>);
    const Event event = run(warp, own);
    if (event == Event::gone) {
      remove_path(warp, own);
    } else if (warp.paths[own].spent > kPathQuantum || event == Event::yields) {
      // Others of the warp go first the next time, also those that wait for this one to come out of its loop.
      warp.paths[own].spent = 0;
      const Path path = warp.paths[own];
      remove_path(warp, own);
      (void)release_waiting(warp, path.join);
      warp.paths.insert(warp.paths.begin(), path);
    }
    if (event == Event::yields) return;
  }
}

}  // namespace kgen::emulator
