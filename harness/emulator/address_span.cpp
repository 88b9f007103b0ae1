#include "harness/emulator/address_span.hpp"

#include "harness/emulator/host_cpu.hpp"

namespace kgen::emulator {
namespace {

inline __attribute__((always_inline)) AddressDifferences differences(const Addresses& addresses, U64 begin,
                                                                     U64 last, U32 bytes) {
  AddressDifferences out;
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
__attribute__((target("avx2"))) AddressDifferences differences_avx2(const Addresses& addresses, U64 begin,
                                                                    U64 last, U32 bytes) {
  return differences(addresses, begin, last, bytes);
}
#else
AddressDifferences differences_avx2(const Addresses& addresses, U64 begin, U64 last, U32 bytes) {
  return differences(addresses, begin, last, bytes);
}
#endif

}  // namespace

AddressDifferences differences_of(const Addresses& addresses, U32 mask, U64 begin, U64 last, U32 bytes) {
  if (mask == kAllLanes) {
    return has_avx2() ? differences_avx2(addresses, begin, last, bytes)
                      : differences(addresses, begin, last, bytes);
  }
  AddressDifferences out;
  const U64 first = addresses[first_lane(mask)];
  for_lanes(mask, [&](U32 lane) {
    const U64 address = addresses[lane];
    out.outside |= (address - begin) | (last - address);
    out.low |= address;
    out.same |= address ^ first;
  });
  out.row = 1;
  return out;
}

}  // namespace kgen::emulator
