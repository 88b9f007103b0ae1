#include "harness/profile/counted_launches.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kgen::profile {
namespace {

run::LaunchSequence sequence_of(const std::vector<std::string>& kernels) {
  run::LaunchSequence sequence;
  for (const std::string& name : kernels) {
    if (name == "fill") {
      sequence.steps.emplace_back(run::FillBuffer{});
    } else {
      run::LaunchKernel launch;
      launch.lowered_name = name;
      sequence.steps.emplace_back(launch);
    }
  }
  return sequence;
}

TEST(CountedLaunches, AreAllOfAFewAndNoFills) {
  EXPECT_EQ(counted_launches(sequence_of({"a", "fill", "b", "a"})),
            (std::vector<bool>{true, false, true, true}));
  EXPECT_TRUE(counted_launches({}).empty());
}

TEST(CountedLaunches, OfManyAreSpreadEvenlyForEachKernel) {
  std::vector<std::string> kernels(4 * kMostCounted, "a");
  kernels.push_back("b");
  const auto counted = counted_launches(sequence_of(kernels));
  EXPECT_EQ(static_cast<std::size_t>(std::count(counted.begin(), counted.end(), true)), kMostCounted + 1);
  for (std::size_t i = 0; i < 4 * kMostCounted; ++i) EXPECT_EQ(counted[i], i % 4 == 0) << i;
  EXPECT_TRUE(counted.back());
}

}  // namespace
}  // namespace kgen::profile
