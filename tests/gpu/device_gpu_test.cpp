#include "harness/cuda/device_query.hpp"

#include <gtest/gtest.h>

#include "harness/cuda/nvml.hpp"

namespace kgen::cuda {
namespace {

TEST(DeviceGpu, FactsAreThoseOfAnNvidiaDevice) {
  const auto facts = query_device(0);
  ASSERT_TRUE(facts) << facts.error().text();
  std::printf(
      "%s: %s, %d SMs, L2 %lld bytes, %lld bytes, datasheet %.0f GB/s, driver %s, CUDA %s, clusters of %d\n",
      facts->name.c_str(), facts->arch.c_str(), facts->num_sms, static_cast<long long>(facts->l2_bytes),
      static_cast<long long>(facts->memory_bytes), facts->datasheet_bandwidth_gbs,
      facts->driver_version.c_str(), facts->cuda_version.c_str(), facts->max_cluster);
  EXPECT_GT(facts->num_sms, 0);
  EXPECT_GT(facts->l2_bytes, 0);
  EXPECT_GT(facts->datasheet_bandwidth_gbs, 100);
  EXPECT_GT(facts->max_dynamic_shared, 48 * 1024);
  EXPECT_FALSE(facts->capabilities.empty());
}

TEST(DeviceGpu, ADeviceThatIsNotThereIsSaid) {
  const auto facts = query_device(1000);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::missing);
}

TEST(DeviceGpu, CopyBandwidthIsBelowTheDatasheetAndNotFarBelow) {
  const auto facts = query_device(0);
  ASSERT_TRUE(facts);
  const auto context = Context::retain(0);
  ASSERT_TRUE(context) << context.error().text();
  const auto gbs = measure_copy_gbs(*context);
  ASSERT_TRUE(gbs) << gbs.error().text();
  std::printf("copy: %.0f GB/s of %.0f\n", *gbs, facts->datasheet_bandwidth_gbs);
  EXPECT_GT(*gbs, 0.5 * facts->datasheet_bandwidth_gbs);
  EXPECT_LT(*gbs, 1.02 * facts->datasheet_bandwidth_gbs);
}

TEST(DeviceGpu, NvmlTellsTheState) {
  const auto bus = pci_bus_id(0);
  ASSERT_TRUE(bus);
  const auto nvml = Nvml::open(*bus);
  if (!nvml) GTEST_SKIP() << nvml.error().text();
  const DeviceState state = nvml->state();
  std::printf("NVML: SM %.0f MHz, memory %.0f MHz, %.0f W, %.0f C, throttle '%s', driver %s\n",
              state.sm_clock_mhz, state.memory_clock_mhz, state.power_w, state.temperature_c,
              state.throttle.c_str(), nvml->driver_version().c_str());
  EXPECT_GT(state.sm_clock_mhz, 0);
  EXPECT_GT(state.memory_total_bytes, 0);
}

}  // namespace
}  // namespace kgen::cuda
