#include <gtest/gtest.h>

#include <cstdio>

#include "harness/cuda/device_query.hpp"

/// Exit code 77 tells ctest that nothing was tested.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto devices = kgen::cuda::device_count();
  if (!devices || *devices == 0) {
    std::printf("skipped: %s\n", devices ? "no CUDA device" : devices.error().text().c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}
