#include "harness/emulator/doubt.hpp"

#include <algorithm>
#include <utility>

#include "harness/emulator/access_stops.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/written_marks.hpp"

namespace kgen::emulator {
namespace {

/// Where a value comes from: the load's place in the code, and the first byte of it that nothing has written.
constexpr U32 kByteBits = 4;
static_assert(U64{kMostCode} << kByteBits <= U64{1} << 32);

using Origins = std::array<U32, kLanes>;

U32 lanes_of(const WarpDoubt& doubt, const DoubtBytes& bytes) {
  U32 out = 0;
  for (U32 i = 0; i < bytes.count; ++i) out |= doubt.masks[bytes.first + i];
  return out;
}

U32 lanes_of(Warp& warp, const DoubtSource& source) {
  const U32 lanes = lanes_of(warp.doubt, source.bytes);
  if (lanes == 0 || source.when == kNoSlot) return lanes;
  const U32 when = warp.predicate(source.when);
  return lanes & ((source.negated ? ~when : when) | lanes_of(warp.doubt, source.when_doubt));
}

[[noreturn]] void stop_doubtful(Warp& warp, const DoubtBytes& bytes, U32 lanes) {
  const U32 lane = first_lane(lanes), origin = warp.doubt.origins[bytes.reg][lane];
  warp.pc = origin >> kByteBits;
  const UnwrittenRead& read = warp.doubt.reads.at(warp.pc)[lane];
  Access access;
  access.bytes = read.bytes;
  stop_unwritten(warp, lane, access, {read.address, read.offset, origin & ((1u << kByteBits) - 1)},
                 *read.name, read.space);
}

/// Lanes in which the flow's results are in doubt; where that comes from goes to `origins`.
U32 gather(Warp& warp, const DoubtFlow& flow, U32 active, Origins& origins) {
  U32 out = 0;
  for (const DoubtSource& source : flow.from) {
    const U32 lanes = lanes_of(warp, source) & active;
    for_lanes(lanes & ~out, [&](U32 lane) { origins[lane] = warp.doubt.origins[source.bytes.reg][lane]; });
    out |= lanes;
  }
  return out;
}

void hand_on(Warp& warp, const DoubtRule& rule, U32 active) {
  constexpr std::size_t kMostFlows = 16;
  U32 found[kMostFlows];  // a result may be a source of another flow
  Origins origins;
  const std::size_t count = std::min(rule.flows.size(), kMostFlows);
  for (std::size_t i = 0; i < count; ++i) found[i] = gather(warp, rule.flows[i], active, origins);
  for (std::size_t i = 0; i < count; ++i) {
    for (const DoubtBytes& to : rule.flows[i].to) {
      for (U32 byte = 0; byte < to.count; ++byte) {
        U32& mask = warp.doubt.masks[to.first + byte];
        mask = (mask & ~active) | found[i];
      }
      for_lanes(found[i], [&](U32 lane) { warp.doubt.origins[to.reg][lane] = origins[lane]; });
    }
  }
}

/// An element of a load, `at` bytes into it.
void take_element(Warp& warp, const DoubtBytes& to, U32 at, U32 bytes, bool sign_extends,
                  const UnwrittenBytes& unwritten) {
  U32 taken = 0;
  for (U32 i = 0; i < to.count && (i < bytes || sign_extends); ++i) {
    const U32 byte = at + std::min(i, bytes - 1), lanes = unwritten.of_byte[byte];
    warp.doubt.masks[to.first + i] |= lanes;
    for_lanes(lanes & ~taken,
              [&](U32 lane) { warp.doubt.origins[to.reg][lane] = warp.pc << kByteBits | byte; });
    taken |= lanes;
  }
}

}  // namespace

void follow_doubt(Warp& warp, const Instr& instr, U32 mask, U32 active) {
  if (instr.doubt == kNoSlot) return;
  const DoubtRule& rule = warp.program->doubt_rules[instr.doubt];
  if (const U32 lanes = lanes_of(warp.doubt, rule.guard) & mask; lanes != 0)
    stop_doubtful(warp, rule.guard, lanes);
  for (const DoubtSource& source : rule.stops) {
    if (const U32 lanes = lanes_of(warp, source) & active; lanes != 0)
      stop_doubtful(warp, source.bytes, lanes);
  }
  if (active != 0) hand_on(warp, rule, active);
}

void take_doubt(Warp& warp, const Instr& load, const UnwrittenBytes& unwritten) {
  WarpDoubt& doubt = warp.doubt;
  if (!doubt.any) {
    doubt.any = true;
    doubt.left = std::exchange(warp.left, 0);  // run_path() goes on with it
    doubt.masks.assign(warp.program->doubt_masks, 0);
    doubt.origins.resize(warp.program->doubt_registers);
  }
  const DoubtRule& rule = warp.program->doubt_rules[load.doubt];
  for (U32 i = 0; i < rule.loaded.size() && i < load.count; ++i)
    take_element(warp, rule.loaded[i], i * load.bytes, load.bytes, rule.sign_extends, unwritten);
}

void meet_unwritten(Warp& warp, U32 lane, const Access& access, U64 address, I64 offset,
                    const std::string& name, const char* space, const U8* marks) {
  if (access.unwritten == nullptr) {
    const U32 first = first_unwritten(marks, access.bytes);
    stop_unwritten(warp, lane, access, {address, offset, first}, name, space);
  }
  warp.doubt.reads[warp.pc][lane] = {address, offset, access.bytes, &name, space};
  access.unwritten->note(lane, marks, access.bytes);
}

}  // namespace kgen::emulator
