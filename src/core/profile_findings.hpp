#pragma once

#include <string>
#include <vector>

#include "core/profile.hpp"

namespace kgen::core {

/// Something that counters show of a line, in a sentence: "32 sectors a request where 4 would do".
struct ProfileFinding {
  std::string kernel;
  int line = 0;  ///< 0: of the kernel as a whole
  std::string text;
  double share = 0;  ///< of the kernel's own total of the same kind, 0..1
};

/// What stands out, the largest share first, at most `most` of a kernel: requests that take more sectors than
/// their bytes need, bank conflicts, lanes that go different ways, atomics, local memory.
std::vector<ProfileFinding> profile_findings(const Profile& profile, std::size_t most = 6);

/// What a kernel did as a whole, in one sentence: instructions, threads, flops, bytes, instruction mix.
std::string profile_summary(const KernelProfile& kernel);

/// How the counters came about: "counted by the emulator from PTX at rows=64, cols=1024 (simulated ...)".
std::string profile_origin(const Profile& profile);

}  // namespace kgen::core
