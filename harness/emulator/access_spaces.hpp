#pragma once

#include "harness/emulator/access.hpp"

/// access_memory() by space: addresses are places in it.
namespace kgen::emulator {

Layout access_global(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                     const Values& values);
Layout access_shared(Warp& warp, const Access& access, const Addresses& addresses, U32 mask, Places& places,
                     const Values& values);

}  // namespace kgen::emulator
