#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator {

/// Which registers an instruction reads and writes, its guard left out. A register's name is that of the
/// text; with its block where it is declared in an inner one, as inline assembly does.
struct RegisterFlow {
  struct Source {
    std::string name;
    std::size_t place = 0;  ///< of the operand
  };
  enum class Kind {
    pure,    ///< the results follow from the sources, lane by lane, and nothing else happens
    memory,  ///< a plain load or store
    other,   ///< branches, calls, what lanes do together
  };
  Kind kind = Kind::other;
  std::vector<std::string> results;
  std::vector<Source> sources;
};
RegisterFlow flow_of(const ptx::Function& function, const ptx::Instruction& instr);

/// The name of an instruction's guard, as above.
std::string guard_of(const ptx::Function& function, const ptx::Instruction& instr);

/// Whether what another operand holds may make the one at `place` of no account: a value of `selp`, a side of
/// a conjunction or a disjunction of predicates.
bool may_be_thrown_away(const ptx::Instruction& instr, std::size_t place);

}  // namespace kgen::emulator
