#pragma once

#include <cstdint>
#include <string>

namespace kgen::run {

/// What one multiprocessor has.
struct SmLimits {
  int max_threads = 2048, max_blocks = 32;
  std::int64_t registers = 65536, shared_bytes = 233472, reserved_shared_per_block = 1024;
};

/// What one block takes.
struct BlockNeeds {
  int threads = 0, registers_per_thread = 0;
  std::int64_t shared_bytes = 0;  ///< static and dynamic
};

/// Which resource keeps more blocks from a multiprocessor: "registers", "shared memory", "threads" or
/// "blocks". Registers are given out by warp in units of 256 in each of four partitions, shared memory in
/// units of 128 bytes (CUDA C++ Programming Guide, Compute Capabilities; the CUDA occupancy calculator).
std::string occupancy_limit(const SmLimits& sm, const BlockNeeds& block);

/// Blocks that a multiprocessor holds at once by the same rules; 0: a launch is refused.
std::int64_t resident_blocks(const SmLimits& sm, const BlockNeeds& block);

/// Blocks that each resource alone would allow on a multiprocessor.
struct BlockLimits {
  std::int64_t threads = 0, registers = 0, shared_memory = 0, blocks = 0;
};
BlockLimits block_limits(const SmLimits& sm, const BlockNeeds& block);

/// The most registers a thread may have so that registers allow `blocks` of these; 0: with none.
int registers_for_blocks(const SmLimits& sm, const BlockNeeds& block, std::int64_t blocks);

/// The most shared memory a block may have so that it allows `blocks` of these; -1: with none.
std::int64_t shared_for_blocks(const SmLimits& sm, std::int64_t blocks);

}  // namespace kgen::run
