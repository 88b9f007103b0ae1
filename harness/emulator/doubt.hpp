#pragma once

#include <string>

#include "harness/emulator/access.hpp"
#include "harness/emulator/warp.hpp"

/// Values of shared or local memory that nothing has written, followed byte by byte through registers
/// (doubt_flow.hpp) as memcheck does (Seward and Nethercote, Using Valgrind to detect undefined value errors
/// with bit-precision, 2005). Where one is of account after all the launch stops, as if its load had stopped
/// it. Nothing is followed in a warp until a load finds such bytes.
namespace kgen::emulator {

/// In front of an instruction: `mask` are the lanes that come to it, `active` those that do it. Throws Stop.
void follow_doubt(Warp& warp, const Instr& instr, U32 mask, U32 active);

/// A load has run that found bytes which nothing wrote.
void take_doubt(Warp& warp, const Instr& load, const UnwrittenBytes& unwritten);

/// A lane's read found bytes that nothing has written, as the marks say: stops the launch, or remembers them
/// (Access::unwritten).
void meet_unwritten(Warp& warp, U32 lane, const Access& access, U64 address, I64 offset,
                    const std::string& name, const char* space, const U8* marks);

}  // namespace kgen::emulator
