#include "harness/emulator/doubt.hpp"

#include "harness/emulator/access_stops.hpp"
#include "harness/emulator/launch.hpp"

namespace kgen::emulator {
namespace {

U32 doubtful_lanes(Warp& warp, const DoubtSource& source) {
  const U32 doubt = warp.predicate(source.doubt);
  if (doubt == 0 || source.is_certain) return doubt;
  const U32 when = warp.predicate(source.when);
  return doubt & ((source.negated ? ~when : when) | warp.predicate(source.when_doubt));
}

[[noreturn]] void stop_doubtful(Warp& warp, const DoubtRule& rule, U32 mask) {
  const UnwrittenRead* found = nullptr;
  U32 lane = 0, place = 0;
  for (const DoubtSource& source : rule.from) {
    const U32 lanes = doubtful_lanes(warp, source) & mask;
    if (lanes == 0 || found != nullptr) continue;
    lane = first_lane(lanes);
    for (const U32 load : source.loads) {
      const auto reads = warp.unwritten_reads.find(load);
      if (reads == warp.unwritten_reads.end() || reads->second[lane].name == nullptr) continue;
      found = &reads->second[lane];
      place = load;
    }
  }
  if (found == nullptr) {  // more loads than a register remembers
    stop_access(warp, lane, Diagnosis::Kind::uninitialised_read, "memory", 0, "",
                "uses a value of shared or local memory that nothing has written");
  }
  warp.pc = place;
  Access access;
  access.bytes = found->bytes;
  stop_unwritten(warp, lane, access, found->address, found->offset, *found->name, found->space);
}

}  // namespace

void run_with_doubt(Warp& warp, const Instr& instr, U32 mask) {
  const DoubtRule& rule = warp.program->doubt_rules[instr.doubt];
  U32 doubtful = 0;
  for (const DoubtSource& source : rule.from) doubtful |= doubtful_lanes(warp, source);
  doubtful &= mask;
  if (rule.stops && doubtful != 0) stop_doubtful(warp, rule, mask);
  for (const U32 slot : rule.to) {
    U32& doubt = warp.predicate(slot);
    doubt = (doubt & ~mask) | doubtful;
  }
  rule.run(warp, instr, mask);
}

void set_doubt(Warp& warp, const Instr& load, U32 mask, U32 unwritten) {
  for (const U32 slot : warp.program->doubt_rules[load.doubt].to) {
    U32& doubt = warp.predicate(slot);
    doubt = (doubt & ~mask) | (unwritten & mask);
  }
}

void meet_unwritten(Warp& warp, U32 lane, const Access& access, U64 address, I64 offset,
                    const std::string& name, const char* space) {
  if (access.unwritten == nullptr) stop_unwritten(warp, lane, access, address, offset, name, space);
  warp.unwritten_reads[warp.pc][lane] = {address, offset, access.bytes, &name, space};
  *access.unwritten |= 1u << lane;
}

}  // namespace kgen::emulator
