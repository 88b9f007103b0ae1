#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/profile.hpp"

namespace kgen::core {

/// A line of the candidate where warps were seen, most often first.
struct HotLine {
  std::string kernel;
  int line = 0;
  double share = 0;  ///< of the kernel's samples, 0..1
  std::vector<std::pair<std::string, double>>
      reasons;  ///< what for, of the line's own samples; at most three
};

/// At most `most` lines of a kernel, none below 2% of its samples. Empty where nothing was sampled.
std::vector<HotLine> hot_lines(const KernelProfile& kernel, std::size_t most = 5);

/// What warps of the kernel wait for between two instructions: reason and share, the largest first, none
/// below 3%. "selected" is the instruction itself.
std::vector<std::pair<std::string, double>> stall_shares(const KernelProfile& kernel);

/// One fact of a kernel, for a person or a model: "speed of light", "SM 51%, memory 92% (DRAM 92%, ...)".
struct KernelFact {
  std::string label, text;
};

/// Speed of light, time, traffic, caches, sectors, occupancy, issue and stalls, pipes. Only what was counted.
std::vector<KernelFact> kernel_page(const KernelProfile& kernel);

/// Line `number` of a text, without the spaces around it; empty where it has none.
std::string source_line(std::string_view source, int number);

}  // namespace kgen::core
