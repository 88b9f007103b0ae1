#pragma once

#include <string>
#include <vector>

#include "core/device_facts.hpp"

namespace kgen::judge {

/// One kernel of kernels/ceilings.cu and the rate that it shows.
struct CeilingProbe {
  std::string kernel;
  double core::MeasuredRates::* rate;
  /// Operations of one block of 256 threads a repeat; 0: bytes of the whole buffer a repeat (the L2's).
  double operations = 0;
  int blocks_per_sm = 1;
};

/// What can be measured on a chip: the L2 and multiply-adds anywhere, tensor cores of Ampere, Ada (mma.sync)
/// and Hopper (wgmma). Those of other chips need instructions that kgen has no kernel for.
std::vector<CeilingProbe> ceiling_probes(int compute_capability);

/// A rate in the median of rounds: median(work of a round / microseconds of it), a second.
double median_rate(double work, std::vector<double> round_us);

/// Sets to 0 what no honest measurement gives: less than a third of the datasheet's rate (something else ran
/// on the device) or more than 1.1 times it; an L2 slower than the memory behind it. Where the datasheet is
/// not known, nothing. Gives the names of what was set to 0.
std::vector<std::string> drop_implausible(const core::DeviceFacts& device, core::MeasuredRates& rates);

}  // namespace kgen::judge
