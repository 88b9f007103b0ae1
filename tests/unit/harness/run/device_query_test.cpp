#include "harness/cuda/device_query.hpp"

#include <gtest/gtest.h>

#include "harness/cuda/nvml.hpp"

namespace kgen::cuda {
namespace {

TEST(Driver, AMachineWithoutADriverIsAMissingToolWithAdvice) {
  const auto count = device_count();
  if (count) GTEST_SKIP() << "this machine has a driver and " << *count << " devices";
  EXPECT_EQ(count.error().kind, ErrorKind::missing);
  EXPECT_FALSE(count.error().hint.empty());
  EXPECT_FALSE(Context::retain(0));
  EXPECT_EQ(query_device(0).error().message, count.error().message);
}

TEST(Nvml, AMachineWithoutItSaysSo) {
  const auto nvml = Nvml::open("0000:00:00.0");
  ASSERT_FALSE(nvml);
  EXPECT_EQ(nvml.error().kind, ErrorKind::missing);
}

TEST(Nvml, NamesWhatSlowsADeviceDownButNotIdleness) {
  EXPECT_EQ(throttle_text(0), "");
  EXPECT_EQ(throttle_text(0x1 | 0x2), "");
  EXPECT_EQ(throttle_text(0x1 | 0x4 | 0x40), "power cap, thermal (hardware)");
}

TEST(IpcMapping, RefusesAHandleThatIsNone) {
  EXPECT_FALSE(IpcMapping::open("xyz"));
  EXPECT_FALSE(IpcMapping::open(std::string(128, 'g')));
}

TEST(Check, SaysTheCallItsPlaceAndTheCode) {
  const Status status =
      check(CUDA_ERROR_INVALID_VALUE, "cuMemAlloc", "/anywhere/harness/cuda/handles.cpp", 12);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message.rfind("cuMemAlloc at harness/cuda/handles.cpp:12: CUDA", 0), 0u)
      << status.error().message;
}

}  // namespace
}  // namespace kgen::cuda
