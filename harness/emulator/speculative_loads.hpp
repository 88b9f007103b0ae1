#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/emulator/lanes.hpp"
#include "harness/emulator/ptx_module.hpp"

namespace kgen::emulator {

/// Loads of shared and local memory that may find bytes which nothing has written. NVRTC makes them in front
/// of the condition that guards them in the source: `if (warps > 1) sum += part[1];` becomes a load and
/// `selp`, `if (n > 0 && list[0] > x)` a load, `setp` and `and.pred`. A load is one where its value, or what
/// pure instructions make of it, comes to an operand that another one may make of no account
/// (register_flow.hpp), or where there is a way behind it on which nothing reads it (unused_path.hpp). None
/// is one whose value goes to what cannot be stopped at it: branches, calls, what lanes do together.
struct SpeculativeLoads {
  using Loads = std::set<U32>;
  std::map<const ptx::Instruction*, U32> loads;  ///< with their numbers
  std::map<std::string, Loads> registers;        ///< where their values come to: from which of them
  /// Whose results may take such a value on; no other instruction may read one.
  std::set<const ptx::Instruction*> carriers;
};
SpeculativeLoads speculative_loads(const ptx::Function& function);

}  // namespace kgen::emulator
