#pragma once

#include "harness/emulator/access.hpp"

namespace kgen::emulator {

/// What holds for the addresses of all lanes of a warp's access.
struct AddressSpan {
  bool is_inside = false;   ///< all their bytes lie in the given range
  bool is_aligned = false;  ///< to the access
  Layout layout = Layout::scattered;
};

/// Looks at the lanes of `mask`; the range is [begin, end), below 2^63.
AddressSpan span_of(const Addresses& addresses, U32 mask, U64 begin, U64 end, U32 bytes);

}  // namespace kgen::emulator
