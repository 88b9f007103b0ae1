#include "prompt/bottleneck.hpp"

#include <algorithm>
#include <map>

#include "core/diagnosis.hpp"

namespace kgen::prompt {
namespace {

/// Below this a launch itself is a part of the time that shows.
constexpr double kShortKernelUs = 8;
/// Above this share of the roofline only the edges are left: waves, cache policy.
constexpr double kNearRooflinePercent = 85;
constexpr double kLowOccupancy = 0.5;

void add(std::vector<std::string>& names, const char* name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

/// The section of refine.md that speaks of a diagnosis. A rule without one has its advice in the feedback.
void add_diagnosed(std::vector<std::string>& names, const core::Profile& profile) {
  static const std::map<std::string, const char*, std::less<>> sections = {
      {"bytes_in_flight", "too few bytes in flight"},
      {"barrier_bound", "exposed barriers"},
      {"tail_effect", "last wave"},
      {"small_grid", "last wave"},
      {"issue_bound", "instruction count"},
      {"pipe_bound", "instruction count"},
      {"local_memory", "register spills"},
      {"launch_bound", "launch overhead"},
      {"occupancy", "block shape"},
      {"l2_bound", "cache policy"},
      {"extra_traffic", "cache policy"},
  };
  for (const core::Diagnosis& cause : core::diagnose(profile)) {
    const auto section = sections.find(cause.rule);
    if (section != sections.end()) add(names, section->second);
  }
}

}  // namespace

std::vector<std::string> bottlenecks(const core::Evaluation& evaluation, const core::DeviceFacts& device) {
  std::vector<std::string> names;
  const core::CompileReport& compile = evaluation.compile;
  const auto any = [&](auto holds) {
    return std::any_of(compile.kernels.begin(), compile.kernels.end(), holds);
  };
  if (!compile.performance_warnings.empty()) add(names, "compiler warnings about speed");
  if (evaluation.profile && !evaluation.profile->simulated) add_diagnosed(names, *evaluation.profile);
  if (any([](const core::KernelFacts& k) { return k.spill_bytes > 0 || k.stack_bytes > 0; }))
    add(names, "register spills");
  const bool low_occupancy =
      any([](const core::KernelFacts& k) { return k.occupancy >= 0 && k.occupancy < kLowOccupancy; });
  const bool short_kernel = evaluation.timing && evaluation.timing->candidate.median_us < kShortKernelUs;
  const bool near = evaluation.timing && evaluation.timing->percent_of_roofline >= kNearRooflinePercent;
  if (short_kernel) add(names, "launch overhead");
  if (near) {
    add(names, "last wave");
    add(names, "cache policy");
  }
  if (low_occupancy) add(names, "block shape");
  add(names, "too few bytes in flight");
  add(names, "exposed barriers");
  add(names, "block shape");
  add(names, "last wave");
  if (device.capabilities.contains("tma")) add(names, "asynchronous copies");
  add(names, "instruction count");
  add(names, "cache policy");
  return names;
}

}  // namespace kgen::prompt
