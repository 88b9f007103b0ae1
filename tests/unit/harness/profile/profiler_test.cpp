#include "harness/profile/profiler.hpp"

#include <gtest/gtest.h>

#include "harness/cuda/driver.hpp"

namespace kgen::profile {
namespace {

TEST(Profiler, WithoutADeviceAReadingIsGapsAndNoFailure) {
  if (cuda::load_driver()) GTEST_SKIP() << "there is a device: tests/gpu looks at it";
  run::RunOptions options;
  options.command = {KGEN_WORKER, "profile"};
  auto profiler = Profiler::create(options);
  ASSERT_TRUE(profiler) << profiler.error().text();
  ProfileJob job;
  job.sequence.steps.emplace_back(
      run::LaunchKernel{"k", {132, 1, 1}, {256, 1, 1}, {0, 0, 0}, 0, false, false, {}});
  job.kernels = {run::KernelToLoad{"gemm<true>", "k", 0, {256, 1, 1}, {0, 0, 0}, false}};
  const ProfileReading reading = profiler->profile(job);
  ASSERT_EQ(reading.gaps.size(), 2U);
  EXPECT_EQ(reading.gaps[0].what, "counters");
  EXPECT_EQ(reading.gaps[1].what, "stalls by line");
  EXPECT_NE(reading.gaps[0].why.find("driver"), std::string::npos) << reading.gaps[0].why;
  // What a launch says of itself is known without counting.
  ASSERT_EQ(reading.kernels.size(), 1U);
  EXPECT_EQ(reading.kernels[0].kernel, "gemm<true>");
  EXPECT_EQ(reading.kernels[0].metrics.at("launch__grid_size"), 132);
  EXPECT_FALSE(reading.kernels[0].metrics.contains("gpu__time_duration.sum"));
}

}  // namespace
}  // namespace kgen::profile
