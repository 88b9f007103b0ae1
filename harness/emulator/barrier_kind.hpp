#pragma once

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

/// bar.sync, bar.arrive, bar.red with .popc, .and, .or.
enum class BarrierKind : U8 { sync, arrive, popc, all, any };

}  // namespace kgen::emulator
