#pragma once

#include <array>
#include <string>

#include "harness/emulator/access.hpp"
#include "harness/emulator/warp.hpp"

/// Values that come from bytes which nothing has written, on their way to where they are thrown away
/// (speculative_loads.hpp). Where one is of account after all the launch stops, as if the load had stopped
/// it.
namespace kgen::emulator {

/// The handler of an instruction with a DoubtRule. Throws Stop.
void run_with_doubt(Warp& warp, const Instr& instr, U32 mask);

/// A speculative load has run for the lanes of the mask; `unwritten`: those that found bytes which nothing
/// wrote.
void set_doubt(Warp& warp, const Instr& load, U32 mask, U32 unwritten);

/// A lane's read found bytes that nothing has written: stops the launch, or remembers it (Access::unwritten).
void meet_unwritten(Warp& warp, U32 lane, const Access& access, U64 address, I64 offset,
                    const std::string& name, const char* space);

}  // namespace kgen::emulator
