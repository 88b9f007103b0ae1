#include "harness/judge/launch_facts.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

/// A thread is given at least so many (Nsight Compute shows 16 for a kernel that uses 11).
constexpr int kFewestRegisters = 16;

}  // namespace

run::SmLimits sm_limits(const core::DeviceFacts& device) {
  run::SmLimits sm;
  sm.max_threads = device.max_threads_per_sm;
  sm.max_blocks = device.max_blocks_per_sm;
  sm.registers = device.registers_per_sm;
  sm.shared_bytes = device.shared_per_sm;
  return sm;
}

void add_launch_facts(const core::KernelFacts& kernel, const core::DeviceFacts& device,
                      core::Metrics& metrics) {
  const run::SmLimits sm = sm_limits(device);
  const auto threads = static_cast<int>(core::metric(metrics, "launch__block_size"));
  const std::int64_t shared =
      std::max<std::int64_t>(kernel.static_shared_bytes, 0) + kernel.dynamic_shared_bytes;
  const run::BlockNeeds needs{threads, std::max(kernel.registers, 0), shared};
  const run::BlockLimits limits = run::block_limits(sm, needs);
  const auto set = [&](const char* name, auto value) { metrics[name] = static_cast<double>(value); };
  set("device__attribute_multiprocessor_count", device.num_sms);
  set("launch__registers_per_thread", std::max(kernel.registers, kFewestRegisters));
  set("launch__shared_mem_per_block_static", std::max<std::int64_t>(kernel.static_shared_bytes, 0));
  set("launch__shared_mem_per_block_dynamic", kernel.dynamic_shared_bytes);
  set("launch__shared_mem_per_block_driver", sm.reserved_shared_per_block);
  set("launch__shared_mem_per_block", shared + sm.reserved_shared_per_block);
  set("launch__occupancy_limit_registers", limits.registers);
  set("launch__occupancy_limit_shared_mem", limits.shared_memory);
  set("launch__occupancy_limit_warps", limits.threads);
  set("launch__occupancy_limit_blocks", limits.blocks);
  const std::int64_t blocks =
      kernel.blocks_per_sm > 0 ? kernel.blocks_per_sm : run::resident_blocks(sm, needs);
  if (blocks <= 0 || device.num_sms <= 0) return;
  const std::int64_t warps = (threads + 31) / 32;
  set("launch__blocks_per_multiprocessor", blocks);
  set("sm__maximum_warps_per_active_cycle_pct",
      100.0 * static_cast<double>(blocks * warps) / (sm.max_threads / 32.0));
  set("launch__waves_per_multiprocessor",
      core::metric(metrics, "launch__grid_size") / static_cast<double>(blocks * device.num_sms));
  set("launch__registers_for_one_more_block", run::registers_for_blocks(sm, needs, blocks + 1));
  set("launch__shared_mem_for_one_more_block", run::shared_for_blocks(sm, blocks + 1));
}

}  // namespace kgen::judge
