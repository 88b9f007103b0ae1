#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "harness/emulator/diagnosis.hpp"
#include "harness/emulator/instr_counts.hpp"
#include "harness/emulator/memory.hpp"
#include "harness/emulator/program.hpp"
#include "harness/emulator/spin_watch.hpp"

namespace kgen::emulator {

struct Block;

/// What a launch is, and what may stop it.
struct LaunchSettings {
  std::array<U32, 3> grid{1, 1, 1}, block{1, 1, 1};
  U64 dynamic_shared = 0;
  bool cooperative = false;
  U64 seed = 0;                          ///< of the blocks' order
  int threads = 1;                       ///< of the host
  U64 most_instructions = U64{1} << 62;  ///< of warps
  /// CPU time of each thread of the host: how busy the machine is does not count.
  std::chrono::nanoseconds most_time = std::chrono::nanoseconds::max();
  int num_sms = 132;
  std::string shown_name;    ///< of the kernel, in messages; empty: its own
  bool counts_code = false;  ///< fills LaunchCounts::code; the launch takes longer
};

/// What a launch did; simulated, never a time.
struct LaunchCounts {
  U64 warp_instructions = 0;
  U64 lane_instructions = 0;
  CodeCounts code;  ///< where it was asked for
};

/// One launch of a kernel: what its blocks share.
struct Launch {
  const Program* program = nullptr;
  const DecodedFunction* kernel = nullptr;
  Memory* memory = nullptr;
  std::string kernel_name;
  LaunchSettings settings;
  std::vector<std::byte> parameters;
  std::string output;      ///< of printf, the first 64 KiB
  U64 grid_workspace = 0;  ///< address of what grid.sync() counts in; 0: the launch is not cooperative

  // Time of the memory model: grows with every fence and atomic operation.
  std::atomic<U32> time{1};
  U32 began = 1;
  U64 clock_base = 0;  ///< what %clock and %globaltimer count from
  /// By block: time of the last fence, of the last fence before a flag was raised, of the last look at one.
  std::vector<std::atomic<U32>> block_fences, block_releases, block_acquires;
  std::atomic<U64> instructions{0}, lane_instructions{0};
  std::atomic<U64> changes{0};  ///< of memory that another block may see
  std::atomic<bool> stopped{false};
  SpinWatch spins;   ///< of blocks that run one by one
  SpinLock atomics;  ///< atomic operations on global memory
  SpinLock output_lock;
};

/// Runs a kernel to its end. A diagnosis where it was stopped. `parameters` are laid out as the entry
/// declares.
std::optional<Diagnosis> run_launch(const Program& program, const std::string& entry, Memory& memory,
                                    const LaunchSettings& settings, std::vector<std::byte> parameters,
                                    LaunchCounts& counts, std::string& output);

/// A diagnosis filled with kernel, line, block and thread of a lane of a warp at its instruction.
Diagnosis diagnosis_at(const Warp& warp, U32 lane, Diagnosis::Kind kind, std::string fine);
/// Stops the launch: "kernel k, line 12, block (0,0,0), thread (5,0,0): " and what.
[[noreturn]] void stop_at(const Warp& warp, U32 lane, Diagnosis::Kind kind, std::string fine,
                          const std::string& what);

}  // namespace kgen::emulator
