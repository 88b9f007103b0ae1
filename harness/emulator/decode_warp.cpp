#include <algorithm>

#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/shadow.hpp"

// What the lanes of a warp do together: shuffles, votes, matches, reductions (PTX ISA, "Parallel
// Synchronization and Communication Instructions"). Lanes of one path may name different member masks: each
// has its own result.
namespace kgen::emulator {
namespace {

using ptx::Type;

/// Slot c: the member mask. The instruction waits until its lanes are there.
Instr synchronised(FunctionDecoder& d, Handler run, std::size_t mask_operand) {
  Instr instr = d.instr(run);
  instr.flow = Flow::warp_sync;
  instr.c = d.source(mask_operand, 4);
  return instr;
}

/// What a lane reads from one that is not there: the ISA leaves it open, so it is something nobody wants.
constexpr U32 kNobody = 0xffffffffu;

enum class Shuffle : U8 { up, down, bfly, idx };

/// The lane that `lane` reads from, and whether that is inside its segment.
template <Shuffle kMode>
bool source_lane(U32 lane, U32 by, U32 control, U32& from) {
  const U32 clamp = control & 31, segment = control >> 8 & 31;
  const U32 first = lane & segment, last = first | (clamp & ~segment);
  if constexpr (kMode == Shuffle::up) {
    from = lane - by;
    return static_cast<I32>(from) >= static_cast<I32>(last);
  } else {
    from = kMode == Shuffle::down ? lane + by : kMode == Shuffle::bfly ? lane ^ by : first | (by & ~segment);
    return from <= last;
  }
}

/// Whether all 32 lanes take part and ask for the same.
bool is_uniform(const U32* b, const U32* control, const U32* members, U32 mask) {
  U32 differences = ~mask;
  for (U32 lane = 0; lane < kLanes; ++lane)
    differences |= (b[lane] ^ b[0]) | (control[lane] ^ control[0]) | ~members[lane];
  return differences == 0;
}

template <Shuffle kMode>
void run_shuffle(Warp& warp, const Instr& instr, U32 mask) {
  const U32* const a = warp.at<U32>(instr.a);
  const U32* const b = warp.at<U32>(instr.b);
  const U32* const control = warp.at<U32>(instr.list);
  const U32* const members = warp.at<U32>(instr.c);
  U32 values[kLanes];
  if (instr.imm < 0 && is_uniform(b, control, members, mask)) {
    const U32 by = b[0] & 31, limits = control[0];
    for (U32 lane = 0; lane < kLanes; ++lane) {
      U32 from = lane;
      const bool holds = source_lane<kMode>(lane, by, limits, from);
      values[lane] = a[holds ? from & 31 : lane];
    }
    std::copy_n(values, kLanes, warp.at<U32>(instr.d));
    return;
  }
  U32 inside = 0;
  for (U32 lane = 0; lane < kLanes; ++lane) {
    U32 from = lane;
    const bool holds = source_lane<kMode>(lane, b[lane] & 31, control[lane], from);
    from = holds ? from & 31 : lane;
    inside |= holds ? kLaneBits.of[lane] : 0;
    values[lane] = (members[lane] & mask & kLaneBits.of[from]) != 0 ? a[from] : kNobody;
  }
  U32* const d = warp.at<U32>(instr.d);
  for_lanes(mask, [&](U32 lane) { d[lane] = values[lane]; });
  if (instr.imm >= 0) set_predicate(warp, static_cast<U32>(instr.imm), mask, inside);
}

void decode_shuffle(FunctionDecoder& d) {
  if (!d.has("sync")) throw NotEmulated{};
  const Handler run = d.has("up")     ? run_shuffle<Shuffle::up>
                      : d.has("down") ? run_shuffle<Shuffle::down>
                      : d.has("bfly") ? run_shuffle<Shuffle::bfly>
                                      : run_shuffle<Shuffle::idx>;
  Instr instr = synchronised(d, run, 4);
  instr.a = d.source(1, 4);
  instr.b = d.source(2, 4);
  instr.list = d.source(3, 4);
  instr.d = d.target(0, 4);
  const auto& parts = d.operand(0).parts;
  instr.imm = parts.empty() ? -1 : static_cast<I64>(d.target(parts.front(), 0));
  d.emit(instr);
}

enum class Vote : U8 { all, any, uni, ballot };

void run_vote(Warp& warp, const Instr& instr, U32 mask) {
  const U32 holds = instr.flag ? ~warp.predicate(instr.a) : warp.predicate(instr.a);
  const U32* const members = warp.at<U32>(instr.c);
  U32 result = 0;
  for_lanes(mask, [&](U32 lane) {
    const U32 asked = members[lane] & mask, yes = holds & asked;
    bool outcome = false;
    switch (static_cast<Vote>(instr.choice)) {
      case Vote::all:
        outcome = yes == asked;
        break;
      case Vote::any:
        outcome = yes != 0;
        break;
      case Vote::uni:
        outcome = yes == 0 || yes == asked;
        break;
      case Vote::ballot:
        warp.at<U32>(instr.d)[lane] = yes;
        return;
    }
    result |= outcome ? 1u << lane : 0;
  });
  if (static_cast<Vote>(instr.choice) != Vote::ballot) set_predicate(warp, instr.d, mask, result);
}

void decode_vote(FunctionDecoder& d) {
  if (!d.has("sync")) throw NotEmulated{};
  Instr instr = synchronised(d, run_vote, 2);
  const Vote kind = d.has("ballot") ? Vote::ballot
                    : d.has("all")  ? Vote::all
                    : d.has("any")  ? Vote::any
                                    : Vote::uni;
  instr.choice = static_cast<U8>(kind);
  instr.a = d.source(1, 0);
  instr.flag = d.operand(1).negated;
  instr.d = d.target(0, kind == Vote::ballot ? 4 : 0);
  d.emit(instr);
}

template <class T, bool kAll>
void run_match(Warp& warp, const Instr& instr, U32 mask) {
  const T* const a = warp.at<T>(instr.a);
  const U32* const members = warp.at<U32>(instr.c);
  U32 values[kLanes], holds = 0;
  for_lanes(mask, [&](U32 lane) {
    const U32 asked = members[lane] & mask;
    U32 same = 0;
    for_lanes(asked, [&](U32 other) { same |= a[other] == a[lane] ? 1u << other : 0; });
    values[lane] = kAll ? (same == asked ? asked : 0) : same;
    holds |= same == asked ? 1u << lane : 0;
  });
  for_lanes(mask, [&](U32 lane) { warp.at<U32>(instr.d)[lane] = values[lane]; });
  if (instr.imm >= 0) set_predicate(warp, static_cast<U32>(instr.imm), mask, holds);
}

void decode_match(FunctionDecoder& d) {
  const auto bytes = static_cast<U32>(d.type().bytes);
  const bool all = d.has("all");
  if (bytes != 4 && bytes != 8) throw NotEmulated{};
  Instr instr = synchronised(d,
                             bytes == 4 ? (all ? run_match<U32, true> : run_match<U32, false>)
                                        : (all ? run_match<U64, true> : run_match<U64, false>),
                             2);
  instr.a = d.source(1, bytes);
  instr.d = d.target(0, 4);
  const auto& parts = d.operand(0).parts;
  instr.imm = parts.empty() ? -1 : static_cast<I64>(d.target(parts.front(), 0));
  d.emit(instr);
}

template <class T, class F>
void run_reduction(Warp& warp, const Instr& instr, U32 mask) {
  const T* const a = warp.at<T>(instr.a);
  const U32* const members = warp.at<U32>(instr.c);
  T values[kLanes];
  for_lanes(mask, [&](U32 lane) {
    const U32 asked = members[lane] & mask;
    T value = a[first_lane(asked)];
    for_lanes(asked & (asked - 1), [&](U32 other) { value = F{}(value, a[other]); });
    values[lane] = value;
  });
  for_lanes(mask, [&](U32 lane) { warp.at<T>(instr.d)[lane] = values[lane]; });
}
template <class T, class F>
Handler reduction(F) {
  return run_reduction<T, F>;
}

void decode_reduction(FunctionDecoder& d) {
  const Type type = d.type();
  if (!type.is_integer() || type.bytes != 4) throw NotEmulated{};
  const bool is_signed = type.kind == Type::Kind::signed_int;
  Handler run = nullptr;
  if (d.has("add")) run = reduction<U32>([](U32 x, U32 y) { return x + y; });
  if (d.has("and")) run = reduction<U32>([](U32 x, U32 y) { return x & y; });
  if (d.has("or")) run = reduction<U32>([](U32 x, U32 y) { return x | y; });
  if (d.has("xor")) run = reduction<U32>([](U32 x, U32 y) { return x ^ y; });
  if (d.has("min")) {
    run = is_signed ? reduction<I32>([](I32 x, I32 y) { return x < y ? x : y; })
                    : reduction<U32>([](U32 x, U32 y) { return x < y ? x : y; });
  }
  if (d.has("max")) {
    run = is_signed ? reduction<I32>([](I32 x, I32 y) { return x > y ? x : y; })
                    : reduction<U32>([](U32 x, U32 y) { return x > y ? x : y; });
  }
  if (run == nullptr) throw NotEmulated{};
  Instr instr = synchronised(d, run, 2);
  instr.a = d.source(1, 4);
  instr.d = d.target(0, 4);
  d.emit(instr);
}

/// elect.sync d|p, m: the lowest lane of the mask.
void decode_elect(FunctionDecoder& d) {
  Instr instr = synchronised(
      d,
      [](Warp& warp, const Instr& in, U32 mask) {
        const U32* const members = warp.at<U32>(in.c);
        U32 chosen = 0;
        for_lanes(mask, [&](U32 lane) {
          const U32 leader = first_lane(members[lane] & mask);
          if (in.d != kNoSlot) warp.at<U32>(in.d)[lane] = leader;
          chosen |= leader == lane ? 1u << lane : 0;
        });
        if (in.imm >= 0) set_predicate(warp, static_cast<U32>(in.imm), mask, chosen);
      },
      1);
  const auto& target = d.operand(0);
  if (target.kind != ptx::Operand::Kind::sink) instr.d = d.target(target, 4);
  instr.imm = target.parts.empty() ? -1 : static_cast<I64>(d.target(target.parts.front(), 0));
  d.emit(instr);
}

void decode_active_mask(FunctionDecoder& d) {
  Instr instr = d.instr([](Warp& warp, const Instr& in, U32 mask) {
    for_lanes(mask, [&](U32 lane) { warp.at<U32>(in.d)[lane] = mask; });
  });
  instr.d = d.target(0, 4);
  d.emit(instr);
}

/// bar.warp.sync is a warp's; all other forms of bar are a block's.
void decode_bar(FunctionDecoder& d) {
  if (!d.has("warp")) return decode_block_barrier(d);
  d.emit(synchronised(d, [](Warp& warp, const Instr&, U32 mask) { note_warp_sync(warp, mask); }, 0));
}

constexpr DecoderRow kWarpRows[] = {
    {"shfl", decode_shuffle},    {"vote", decode_vote},   {"match", decode_match},
    {"redux", decode_reduction}, {"elect", decode_elect}, {"activemask", decode_active_mask},
    {"bar", decode_bar},
};

}  // namespace

DecoderTable warp_decoders() {
  return {std::begin(kWarpRows), std::end(kWarpRows)};
}

}  // namespace kgen::emulator
