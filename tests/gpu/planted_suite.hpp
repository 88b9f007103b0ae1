#pragma once

#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "harness/profile/profiler.hpp"

namespace kgen::test {

/// A kernel of kernels/planted.cu with its launch, and the rule that must come first for it.
struct Planted {
  std::string name, rule;
  run::KernelToLoad kernel;
  run::LaunchSequence sequence;
  double product_flops = 0;  ///< of tensor cores' work, where the kernel stands for a product of halves
};

/// The suite, its grids made for the device. Buffers are `x` and `y`, of kPlantedFloats zeros each.
std::vector<Planted> planted_suite(const core::DeviceFacts& device);
inline constexpr long long kPlantedFloats = 64LL << 20;

/// kernels/planted.cu compiled with line numbers for device 0, under the name that candidates have.
std::string planted_cubin();

/// A line of planted.cu.
std::string planted_line(int line);

}  // namespace kgen::test
