#include "harness/run/occupancy_limit.hpp"

#include <algorithm>

namespace kgen::run {
namespace {

constexpr int kPartitions = 4;
constexpr std::int64_t kRegisterUnit = 256, kSharedUnit = 128;

std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::int64_t blocks_by_registers(const SmLimits& sm, const BlockNeeds& block, std::int64_t warps) {
  if (block.registers_per_thread <= 0) return sm.max_blocks;
  const std::int64_t per_warp = round_up(std::int64_t{block.registers_per_thread} * 32, kRegisterUnit);
  return sm.registers / kPartitions / per_warp * kPartitions / warps;
}

std::int64_t warps_of(const BlockNeeds& block) {
  return std::max(1, (block.threads + 31) / 32);
}

struct Limit {
  const char* name;
  std::int64_t blocks;
};

/// The tightest.
Limit limit_of(const SmLimits& sm, const BlockNeeds& block) {
  const BlockLimits all = block_limits(sm, block);
  const Limit limits[] = {{"threads", all.threads},
                          {"registers", all.registers},
                          {"shared memory", all.shared_memory},
                          {"blocks", all.blocks}};
  return *std::min_element(std::begin(limits), std::end(limits),
                           [](const Limit& a, const Limit& b) { return a.blocks < b.blocks; });
}

}  // namespace

BlockLimits block_limits(const SmLimits& sm, const BlockNeeds& block) {
  const std::int64_t warps = warps_of(block);
  const std::int64_t shared = round_up(block.shared_bytes + sm.reserved_shared_per_block, kSharedUnit);
  return {sm.max_threads / 32 / warps, blocks_by_registers(sm, block, warps),
          shared > 0 ? sm.shared_bytes / shared : sm.max_blocks, sm.max_blocks};
}

int registers_for_blocks(const SmLimits& sm, const BlockNeeds& block, std::int64_t blocks) {
  constexpr int kMost = 255;
  for (int registers = kMost; registers > 0; --registers) {
    BlockNeeds tried = block;
    tried.registers_per_thread = registers;
    if (blocks_by_registers(sm, tried, warps_of(block)) >= blocks) return registers;
  }
  return 0;
}

std::int64_t shared_for_blocks(const SmLimits& sm, std::int64_t blocks) {
  if (blocks <= 0) return -1;
  const std::int64_t room = sm.shared_bytes / blocks / kSharedUnit * kSharedUnit;
  return room < sm.reserved_shared_per_block ? -1 : room - sm.reserved_shared_per_block;
}

std::string occupancy_limit(const SmLimits& sm, const BlockNeeds& block) {
  return limit_of(sm, block).name;
}

std::int64_t resident_blocks(const SmLimits& sm, const BlockNeeds& block) {
  return limit_of(sm, block).blocks;
}

}  // namespace kgen::run
