#include "harness/profile/counted_launches.hpp"

#include <algorithm>

namespace kgen::profile {

std::vector<bool> counted_launches(const run::LaunchSequence& sequence) {
  std::map<std::string, std::vector<std::size_t>> steps_of;
  for (std::size_t step = 0; step < sequence.steps.size(); ++step) {
    if (const auto* launch = std::get_if<run::LaunchKernel>(&sequence.steps[step]))
      steps_of[launch->lowered_name].push_back(step);
  }
  std::vector<bool> counted(sequence.steps.size(), false);
  for (const auto& [name, steps] : steps_of) {
    const std::size_t count = std::min(steps.size(), kMostCounted);
    for (std::size_t i = 0; i < count; ++i) counted[steps[i * steps.size() / count]] = true;
  }
  return counted;
}

}  // namespace kgen::profile
