#pragma once

#include <vector>

#include "harness/emulator/lanes.hpp"

/// What a launch did, instruction by instruction: counted only in a launch that asks for it.
namespace kgen::emulator {

/// Requests of one instruction to a memory.
struct RequestCounts {
  U64 requests = 0;  ///< of warps
  U64 bytes = 0;     ///< that lanes asked for
  U64 units = 0;     ///< global memory: sectors of 32 bytes; shared memory: wavefronts
  U64 ideal = 0;     ///< units that as many different bytes need at least
};

struct InstrCounts {
  U64 warps = 0;      ///< that came to it
  U64 lanes = 0;      ///< of their paths
  U64 active = 0;     ///< whose guard holds
  U64 divergent = 0;  ///< of a branch: warps whose lanes went different ways
  RequestCounts global, shared;
};

/// One entry an instruction, as Program::code.
using CodeCounts = std::vector<InstrCounts>;

/// Adds b to a.
void add_counts(CodeCounts& a, const CodeCounts& b);

/// A warp's access to `bytes` of global memory at each lane's address: sectors are 32 bytes.
void count_global(InstrCounts& counts, const U64 (&addresses)[kLanes], U32 mask, U32 bytes);

/// The same to shared memory: 32 banks of 4 bytes. Lanes of one wavefront that meet a bank at different words
/// need one more each; accesses of 8 and 16 bytes go half and quarter warp by half and quarter warp (CUDA C++
/// Programming Guide, "Shared Memory" of compute capability 5.x and later).
void count_shared(InstrCounts& counts, const U64 (&addresses)[kLanes], U32 mask, U32 bytes);

}  // namespace kgen::emulator
