#include <algorithm>
#include <cstring>
#include <mutex>

#include "harness/emulator/access.hpp"
#include "harness/emulator/async_copies.hpp"
#include "harness/emulator/block.hpp"
#include "harness/emulator/decode_table.hpp"
#include "harness/emulator/lane_loops.hpp"
#include "harness/emulator/launch.hpp"
#include "harness/emulator/memory_operand.hpp"
#include "harness/emulator/shadow.hpp"

// mbarrier (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"). The 64 bits of an
// object are opaque there; here they hold what the ISA says it counts.
namespace kgen::emulator {
namespace {

/// Bits 0-19 arrivals still awaited, 20-39 arrivals of a phase, 40-61 bytes still awaited, 63 the phase's
/// parity.
struct Object {
  U64 pending = 0, expected = 0;
  I64 bytes = 0;
  bool parity = false;

  static Object of(U64 bits) {
    const U64 raw = bits >> 40 & 0x3fffff;
    return {bits & 0xfffff, bits >> 20 & 0xfffff,
            static_cast<I64>(raw) - ((raw & 0x200000) != 0 ? 0x400000 : 0), (bits >> 63) != 0};
  }
  U64 bits() const {
    return pending | expected << 20 | (static_cast<U64>(bytes) & 0x3fffff) << 40 |
           (parity ? U64{1} << 63 : 0);
  }
  /// True: the phase has ended.
  bool finish_if_complete() {
    if (pending != 0 || bytes != 0) return false;
    parity = !parity;
    pending = expected;
    return true;
  }
};

enum class Step : U8 { arrive, drop, expect, complete, arrive_expect };

Access object_access(const Instr& instr, Use use) {
  return {static_cast<ptx::Space>(instr.space), 8, use, true};
}

/// The clocks of those who arrived at the object.
PhaseClock& clock_of(Warp& warp, const std::byte* place) {
  const auto key = static_cast<U64>(place - warp.block->shared.data());
  for (PhaseClock& phase : warp.block->phases) {
    if (phase.place == key) return phase;
  }
  return warp.block->phases.emplace_back(PhaseClock{key, {}, {}});
}

/// What the lanes did so far is done for those who wait at the objects that they come to.
void release_lanes(Warp& warp, U32 mask, const Places& places) {
  while (mask != 0) {
    const std::byte* const place = places[first_lane(mask)];
    U32 here = 0;
    for_lanes(mask, [&](U32 lane) { here |= places[lane] == place ? 1u << lane : 0; });
    release_lanes_into(warp, here, clock_of(warp, place).arrived);
    mask &= ~here;
  }
}

void run_init(Warp& warp, const Instr& instr, U32 mask) {
  Addresses addresses;
  Places places;
  LaneBytes values;
  addresses_of(warp, instr, mask, addresses);
  for_lanes(mask, [&](U32 lane) {
    const U32 count = warp.at<U32>(instr.b)[lane];
    if (count == 0 || count >= (1u << 20)) {
      stop_at(warp, lane, Diagnosis::Kind::bad_sync, "mbarrier_count",
              "an mbarrier of " + std::to_string(count) + " arrivals; 1 to 2^20 - 1 may be");
    }
    const U64 bits = Object{count, count, 0, false}.bits();
    std::memcpy(values.of[lane], &bits, 8);
  });
  Access access = object_access(instr, Use::write);
  access.is_strong = false;
  access_memory(warp, access, addresses, mask, places, values);
}

void run_step(Warp& warp, const Instr& instr, U32 mask) {
  Addresses addresses;
  Places places;
  addresses_of(warp, instr, mask, addresses);
  access_memory(warp, object_access(instr, Use::atomic), addresses, mask, places);
  const auto step = static_cast<Step>(instr.choice);
  if (instr.flag_returns) finish_copies(warp, mask, 0);
  release_lanes(warp, mask, places);
  for_lanes(mask, [&](U32 lane) {
    U64 bits = 0;
    std::memcpy(&bits, places[lane], 8);
    Object object = Object::of(bits);
    const U64 amount = instr.b == kNoSlot ? 1 : warp.at<U32>(instr.b)[lane];
    const U64 before = object.bits();
    U64 arrivals = step == Step::expect || step == Step::complete ? 0
                   : step == Step::arrive_expect                  ? 1
                                                                  : amount;
    if (step == Step::expect || step == Step::arrive_expect) object.bytes += static_cast<I64>(amount);
    if (step == Step::complete) object.bytes -= static_cast<I64>(amount);
    if (step == Step::drop) object.expected -= std::min(arrivals, object.expected);
    if (arrivals > object.pending) {
      stop_at(warp, lane, Diagnosis::Kind::bad_sync, "mbarrier_count",
              "more arrivals at an mbarrier than its phase has (" + std::to_string(object.expected) + ")");
    }
    object.pending -= arrivals;
    if ((arrivals > 0 || step == Step::complete) && object.finish_if_complete()) {
      PhaseClock& clock = clock_of(warp, places[lane]);
      clock.ended.join(clock.arrived);
    }
    bits = object.bits();
    std::memcpy(places[lane], &bits, 8);
    if (instr.d != kNoSlot) warp.at<U64>(instr.d)[lane] = before;
  });
  warp.block->last_change = warp.block->instructions + 1;
}

/// test_wait and try_wait: has the phase of that parity (or of that state) ended?
void run_wait(Warp& warp, const Instr& instr, U32 mask) {
  Addresses addresses;
  Places places;
  addresses_of(warp, instr, mask, addresses);
  const U32 first = first_lane(mask);
  bool together = true;  // lanes that wait at one object look at it once
  for_lanes(mask, [&](U32 lane) { together = together && addresses[lane] == addresses[first]; });
  access_memory(warp, object_access(instr, Use::atomic), addresses, together ? 1u << first : mask, places);
  if (together) std::fill(std::begin(places), std::end(places), places[first]);
  U32 ended = 0;
  for_lanes(mask, [&](U32 lane) {
    U64 bits = 0;
    std::memcpy(&bits, places[lane], 8);
    const bool parity = instr.flag_returns ? (warp.at<U32>(instr.b)[lane] & 1) != 0
                                           : Object::of(warp.at<U64>(instr.b)[lane]).parity;
    if (Object::of(bits).parity == parity) return;
    ended |= 1u << lane;
    acquire_from(warp, 1u << lane, clock_of(warp, places[lane]).ended);
  });
  set_predicate(warp, instr.d, mask, ended);
  warp.block->last_poll = warp.block->instructions + 1;
  if (ended != mask) warp.wants_yield = true;
}

void run_pending(Warp& warp, const Instr& instr, U32 mask) {
  for_lanes(mask, [&](U32 lane) {
    warp.at<U32>(instr.d)[lane] = static_cast<U32>(Object::of(warp.at<U64>(instr.a)[lane]).pending);
  });
}

void decode_step(FunctionDecoder& d, Step step) {
  Instr instr = d.instr(run_step);
  std::size_t next = 0;
  if (d.operand(0).kind != ptx::Operand::Kind::address) {
    if (d.operand(0).kind != ptx::Operand::Kind::sink) instr.d = d.target(0, 8);
    ++next;
  }
  instr.choice = static_cast<U8>(step);
  d.address(d.operand(next++), memory_space(d), instr);
  if (next < d.operands()) instr.b = d.source(next, 4);
  d.emit(instr);
}

void decode_mbarrier(FunctionDecoder& d) {
  if (d.has("init")) {
    Instr instr = d.instr(run_init);
    d.address(d.operand(0), memory_space(d), instr);
    instr.b = d.source(1, 4);
    return d.emit(instr);
  }
  if (d.has("inval")) return d.emit(d.instr([](Warp&, const Instr&, U32) {}));
  if (d.has("pending_count")) {
    Instr instr = d.instr(run_pending);
    instr.a = d.source(1, 8);
    instr.d = d.target(0, 4);
    return d.emit(instr);
  }
  if (d.has("test_wait") || d.has("try_wait")) {
    Instr instr = d.instr(run_wait);
    instr.flow = Flow::yield;
    d.address(d.operand(1), memory_space(d), instr);
    instr.flag_returns = d.has("parity");
    instr.b = d.source(2, instr.flag_returns ? 4 : 8);
    instr.d = d.target(0, 0);
    return d.emit(instr);
  }
  if (d.has("arrive")) return decode_step(d, d.has("expect_tx") ? Step::arrive_expect : Step::arrive);
  if (d.has("arrive_drop")) return decode_step(d, Step::drop);
  if (d.has("expect_tx")) return decode_step(d, Step::expect);
  if (d.has("complete_tx")) return decode_step(d, Step::complete);
  throw NotEmulated{};
}

constexpr DecoderRow kMbarrierRows[] = {{"mbarrier", decode_mbarrier}};

}  // namespace

/// The copies so far are done, and then one arrival is: with .noinc one of those awaited, else one more.
void decode_copy_arrival(FunctionDecoder& d) {
  if (!d.has("noinc"))
    return d.emit(d.instr([](Warp& warp, const Instr&, U32 mask) {
      commit_copies(warp, mask);
      finish_copies(warp, mask, 0);
    }));
  d.emit(d.instr([](Warp& warp, const Instr&, U32 mask) { commit_copies(warp, mask); }));
  Instr instr = d.instr(run_step);
  instr.choice = static_cast<U8>(Step::arrive);
  instr.flag_returns = true;
  d.address(d.operand(0), ptx::Space::shared, instr);
  d.emit(instr);
}

DecoderTable mbarrier_decoders() {
  return {std::begin(kMbarrierRows), std::end(kMbarrierRows)};
}

}  // namespace kgen::emulator
