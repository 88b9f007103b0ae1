#include "harness/emulator/address_span.hpp"

#include "harness/emulator/host_cpu.hpp"

namespace kgen::emulator {
namespace {

/// Bits in which addresses differ from what they should be.
struct Differences {
  U64 outside = 0, low = 0, same = 0, row = 0;
};

inline __attribute__((always_inline)) Differences differences(const Addresses& addresses, U64 begin, U64 last,
                                                              U32 bytes) {
  Differences out;
  const U64 first = addresses[0];
  for (U32 lane = 0; lane < kLanes; ++lane) {
    const U64 address = addresses[lane];
    out.outside |= (address - begin) | (last - address);
    out.low |= address;
    out.same |= address ^ first;
    out.row |= address ^ (first + U64{lane} * bytes);
  }
  return out;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) Differences differences_avx2(const Addresses& addresses, U64 begin, U64 last,
                                                             U32 bytes) {
  return differences(addresses, begin, last, bytes);
}
#else
Differences differences_avx2(const Addresses& addresses, U64 begin, U64 last, U32 bytes) {
  return differences(addresses, begin, last, bytes);
}
#endif

Differences of_whole(const Addresses& addresses, U64 begin, U64 last, U32 bytes) {
  return has_avx2() ? differences_avx2(addresses, begin, last, bytes)
                    : differences(addresses, begin, last, bytes);
}

}  // namespace

AddressSpan span_of(const Addresses& addresses, U32 mask, U64 begin, U64 end, U32 bytes) {
  Differences found;
  if (mask == kAllLanes) {
    found = of_whole(addresses, begin, end - bytes, bytes);
  } else {
    const U64 first = addresses[first_lane(mask)];
    for_lanes(mask, [&](U32 lane) {
      const U64 address = addresses[lane];
      found.outside |= (address - begin) | (end - bytes - address);
      found.low |= address;
      found.same |= address ^ first;
    });
    found.row = 1;
  }
  AddressSpan out;
  out.is_inside = found.outside >> 63 == 0;
  out.is_aligned = (found.low & (bytes - 1)) == 0;
  out.layout = found.same == 0 ? Layout::same : found.row == 0 ? Layout::in_a_row : Layout::scattered;
  return out;
}

}  // namespace kgen::emulator
