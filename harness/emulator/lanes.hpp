#pragma once

#include <bit>
#include <cstdint>

/// In front of a loop over lanes: no turn reads what another writes (a result may be its own operand, never
/// half of it).
#if defined(__clang__)
#define KGEN_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define KGEN_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

namespace kgen::emulator {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using I8 = std::int8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;

inline constexpr U32 kLanes = 32;
inline constexpr U32 kAllLanes = 0xffffffffu;

/// Calls f(lane) for every lane of the mask, in order.
template <class F>
inline void for_lanes(U32 mask, F f) {
  while (mask != 0) {
    f(static_cast<U32>(std::countr_zero(mask)));
    mask &= mask - 1;
  }
}

inline U32 first_lane(U32 mask) {
  return static_cast<U32>(std::countr_zero(mask));
}
inline U32 last_lane(U32 mask) {
  return kLanes - 1 - static_cast<U32>(std::countl_zero(mask));
}

}  // namespace kgen::emulator
