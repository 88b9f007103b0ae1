#include <algorithm>

#include "harness/run/device_attribute.hpp"
#include "harness/run/fault_table.hpp"
#include "harness/run/occupancy_limit.hpp"
#include "harness/run/plan_launcher.hpp"

namespace kgen::run {
namespace {

RunResult<int> function_attribute(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  KGEN_CHECK(check_run(cuda::driver().cuFuncGetAttribute(&value, which, function), Phase::world,
                       "asking for a kernel"));
  return value;
}

RunResult<SmLimits> sm_limits() {
  SmLimits out;
  KGEN_TRY(out.max_threads, device_attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
  KGEN_TRY(out.max_blocks, device_attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
  KGEN_TRY(out.registers, device_attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
  KGEN_TRY(out.shared_bytes, device_attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  KGEN_TRY(out.reserved_shared_per_block,
           device_attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
  return out;
}

/// Blocks that clusters of this size keep resident on the whole device; -1 where the driver does not say.
int blocks_in_clusters(CUfunction function, const KernelToLoad& kernel, int cluster_blocks) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {static_cast<unsigned>(kernel.cluster[0]),
                                static_cast<unsigned>(kernel.cluster[1]),
                                static_cast<unsigned>(kernel.cluster[2])};
  CUlaunchConfig config{};
  config.gridDimX = attribute.value.clusterDim.x;
  config.gridDimY = attribute.value.clusterDim.y;
  config.gridDimZ = attribute.value.clusterDim.z;
  config.blockDimX = static_cast<unsigned>(kernel.block[0]);
  config.blockDimY = static_cast<unsigned>(kernel.block[1]);
  config.blockDimZ = static_cast<unsigned>(kernel.block[2]);
  config.sharedMemBytes = static_cast<unsigned>(kernel.dynamic_shared_bytes);
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  if (cuda::driver().cuOccupancyMaxActiveClusters(&clusters, function, &config) != CUDA_SUCCESS) return -1;
  return clusters * cluster_blocks;
}

RunResult<void> fill_occupancy(CUfunction function, const KernelToLoad& kernel, const SmLimits& sm,
                               core::KernelFacts& facts) {
  KGEN_CHECK(check_run(cuda::driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
                           &facts.blocks_per_sm, function, facts.threads_per_block,
                           static_cast<std::size_t>(kernel.dynamic_shared_bytes)),
                       Phase::launch, kernel.name));
  const int warps = (facts.threads_per_block + 31) / 32;
  const double sm_warps = sm.max_threads / 32.0;
  facts.occupancy = facts.blocks_per_sm * warps / sm_warps;
  facts.occupancy_limit = occupancy_limit(
      sm, {facts.threads_per_block, facts.registers, facts.static_shared_bytes + facts.dynamic_shared_bytes});
  const int cluster_blocks = static_cast<int>(kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2]);
  if (cluster_blocks <= 1) return {};
  KGEN_TRY(const int num_sms, device_attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  const int resident = blocks_in_clusters(function, kernel, cluster_blocks);
  const double in_clusters = resident * warps / (sm_warps * num_sms);
  if (resident >= 0 && in_clusters < facts.occupancy) {
    facts.occupancy = in_clusters;
    facts.occupancy_limit = "clusters";
  }
  return {};
}

}  // namespace

RunResult<std::vector<core::KernelFacts>> PlanLauncher::facts() const {
  KGEN_TRY(const SmLimits sm, sm_limits());
  std::vector<core::KernelFacts> out;
  for (const KernelToLoad& kernel : kernels_) {
    CUfunction function = functions_.at(kernel.lowered_name);
    core::KernelFacts facts;
    facts.name = kernel.name;
    facts.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
    facts.threads_per_block = static_cast<int>(kernel.block[0] * kernel.block[1] * kernel.block[2]);
    KGEN_TRY(facts.registers, function_attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS));
    KGEN_TRY(facts.stack_bytes, function_attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    KGEN_TRY(facts.static_shared_bytes, function_attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    KGEN_CHECK(fill_occupancy(function, kernel, sm, facts));
    out.push_back(std::move(facts));
  }
  return out;
}

}  // namespace kgen::run
