#pragma once

#include "harness/emulator/access.hpp"

namespace kgen::emulator {

/// What holds for the addresses of all lanes of a warp's access.
struct AddressSpan {
  bool is_inside = false;   ///< all their bytes lie in the given range
  bool is_aligned = false;  ///< to the access
  Layout layout = Layout::scattered;
};

/// Bits in which the addresses of a mask's lanes differ from what they would be: inside [begin, last] (the
/// uppermost bit), multiples of something, all the same, `bytes` apart.
struct AddressDifferences {
  U64 outside = 0, low = 0, same = 0, row = 0;
};
AddressDifferences differences_of(const Addresses& addresses, U32 mask, U64 begin, U64 last, U32 bytes);

/// Looks at the lanes of `mask`; the range is [begin, end), below 2^63.
inline AddressSpan span_of(const Addresses& addresses, U32 mask, U64 begin, U64 end, U32 bytes) {
  const AddressDifferences found = differences_of(addresses, mask, begin, end - bytes, bytes);
  AddressSpan out;
  out.is_inside = found.outside >> 63 == 0;
  out.is_aligned = (found.low & (bytes - 1)) == 0;
  out.layout = found.same == 0 ? Layout::same : found.row == 0 ? Layout::in_a_row : Layout::scattered;
  return out;
}

}  // namespace kgen::emulator
