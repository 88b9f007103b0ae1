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

}  // namespace

std::string occupancy_limit(const SmLimits& sm, const BlockNeeds& block) {
  const std::int64_t warps = std::max(1, (block.threads + 31) / 32);
  const std::int64_t shared = round_up(block.shared_bytes + sm.reserved_shared_per_block, kSharedUnit);
  struct Row {
    const char* name;
    std::int64_t blocks;
  };
  const Row rows[] = {{"threads", sm.max_threads / 32 / warps},
                      {"registers", blocks_by_registers(sm, block, warps)},
                      {"shared memory", shared > 0 ? sm.shared_bytes / shared : sm.max_blocks},
                      {"blocks", sm.max_blocks}};
  return std::min_element(std::begin(rows), std::end(rows),
                          [](const Row& a, const Row& b) { return a.blocks < b.blocks; })
      ->name;
}

}  // namespace kgen::run
