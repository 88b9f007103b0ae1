#pragma once

#include <vector>

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

/// Some bytes of a register, as far as their doubt goes: a mask of lanes each (WarpDoubt::masks). A predicate
/// has one.
struct DoubtBytes {
  U32 first = 0, count = 0;  ///< masks
  U32 reg = 0;               ///< number of the register: WarpDoubt::origins
};

/// Bytes that an instruction reads.
struct DoubtSource {
  DoubtBytes bytes;
  U32 when = 0xffffffffu;   ///< slot of the predicate that makes them count; none: they do
  bool negated = false;     ///< where `when` does not hold
  DoubtBytes when_doubt{};  ///< of `when`: where it is in doubt they count
};

/// Bytes of results that follow from bytes of sources; from none: nothing is in doubt about them.
struct DoubtFlow {
  std::vector<DoubtSource> from;
  std::vector<DoubtBytes> to;
};

/// What an instruction does with doubt: hands it on to its results, or stops the launch.
struct DoubtRule {
  DoubtBytes guard;  ///< stops the launch where it is in doubt, also for lanes that it leaves out
  std::vector<DoubtSource> stops;  ///< stop the launch where they are in doubt
  std::vector<DoubtFlow> flows;
  std::vector<DoubtBytes> loaded;  ///< of a load: its results, element by element
  bool sign_extends = false;       ///< a load into wider registers
};

}  // namespace kgen::emulator
