#pragma once

#include <array>
#include <string>

#include "harness/emulator/lanes.hpp"

namespace kgen::emulator {

/// Why a launch was stopped: what hardware cannot say so plainly.
struct Diagnosis {
  enum class Kind {
    fault,  ///< an address of nothing, a trap, a failed assertion, a stack overflow
    out_of_bounds,
    race,
    bad_sync,
    uninitialised_read,
    timeout,
    not_emulated,
    bad_launch,
  };
  Kind kind = Kind::fault;
  std::string fine;     ///< as Evaluation::kind: "misaligned", "deadlock", "trap"
  std::string message;  ///< one sentence with all that is known
  std::string kernel;
  int line = 0, other_line = 0;  ///< of the candidate's file; 0: not known. The other access of a race
  std::array<U32, 3> block{0, 0, 0}, thread{0, 0, 0};
  U64 address = 0;
  std::string allocation;
};

/// Ends the emulated launch from inside an instruction; caught where the launch was begun, never seen
/// outside.
struct Stop {
  Diagnosis diagnosis;
};

}  // namespace kgen::emulator
