#pragma once

#include <vector>

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

struct Warp;
struct Instr;

/// A register read by an instruction that may hold what nothing wrote. Its doubt is a mask of the lanes in
/// which it does, kept like a predicate.
struct DoubtSource {
  U32 doubt = 0;           ///< slot
  bool is_certain = true;  ///< false: of account only where the predicate `when` holds, or is in doubt itself
  bool negated = false;    ///< where `when` does not hold
  U32 when = 0, when_doubt = 0;  ///< slots
  std::vector<U32> loads;        ///< where its value may come from: places in the code
};

/// What an instruction does with doubt: hands it on to its results, or stops the launch.
struct DoubtRule {
  void (*run)(Warp& warp, const Instr& instr, U32 mask) = nullptr;  ///< the instruction itself
  std::vector<DoubtSource> from;
  std::vector<U32> to;  ///< slots of its results' doubt
  bool stops = false;
};

}  // namespace kgen::emulator
