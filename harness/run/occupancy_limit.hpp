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

}  // namespace kgen::run
