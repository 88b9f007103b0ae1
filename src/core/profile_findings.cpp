#include "core/profile_findings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kgen::core {
namespace {

namespace m = metrics;

/// Below this share of its kernel's total a line is not worth a sentence.
constexpr double kLeastShare = 0.05;
constexpr double kSectorBytes = 32;

std::string number(double value) {
  char text[32];
  if (value >= 1e6) {
    std::snprintf(text, sizeof text, "%.3g million", value / 1e6);
  } else if (value == std::floor(value)) {
    std::snprintf(text, sizeof text, "%.0f", value);
  } else {
    std::snprintf(text, sizeof text, "%.3g", value);
  }
  return text;
}

/// Sum over ld, st, ... of one metric.
double sum_of(const Metrics& all, std::string_view prefix) {
  double sum = 0;
  for (const auto& [name, value] : all) {
    if (name.starts_with(prefix)) sum += value;
  }
  return sum;
}

double of(const Metrics& all, std::string_view prefix, std::string_view way) {
  return metric(all, metric_name(prefix, way, ".sum"));
}

void add(std::vector<ProfileFinding>& out, const KernelProfile& kernel, int line, double part, double whole,
         std::string text) {
  if (whole <= 0 || part < kLeastShare * whole) return;
  out.push_back({kernel.kernel, line, std::move(text), part / whole});
}

void add_sectors(std::vector<ProfileFinding>& out, const KernelProfile& kernel, const LineProfile& line) {
  const double sectors = sum_of(line.metrics, m::kGlobalSectors);
  const double ideal = metric(line.metrics, m::kIdealGlobalSectors);
  if (ideal <= 0 || sectors < 1.25 * ideal) return;
  const double requests = sum_of(line.metrics, m::kGlobalRequests);
  const bool loads = of(line.metrics, m::kGlobalSectors, "ld") >= of(line.metrics, m::kGlobalSectors, "st");
  add(out, kernel, line.line, sectors - ideal, sum_of(kernel.metrics, m::kGlobalSectors),
      "global " + std::string(loads ? "loads" : "stores") + " take " + number(sectors / requests) +
          " sectors a request where " + number(ideal / requests) +
          " would hold their bytes: neighbouring lanes use addresses apart, or a part of each sector only");
}

void add_conflicts(std::vector<ProfileFinding>& out, const KernelProfile& kernel, const LineProfile& line) {
  const double conflicts = sum_of(line.metrics, m::kBankConflicts);
  const double wavefronts = sum_of(line.metrics, m::kSharedWavefronts);
  if (conflicts <= 0 || wavefronts <= conflicts) return;
  add(out, kernel, line.line, conflicts, sum_of(kernel.metrics, m::kSharedWavefronts),
      "shared-memory bank conflicts: " + number(wavefronts / (wavefronts - conflicts)) +
          " wavefronts where 1 would do");
}

void add_divergence(std::vector<ProfileFinding>& out, const KernelProfile& kernel, const LineProfile& line) {
  const double divergent = metric(line.metrics, m::kDivergentBranches);
  const double lost = 1 - metric(kernel.metrics, m::kThreadsPerInstruction) / 32;
  if (divergent <= 0 || lost < kLeastShare) return;
  add(out, kernel, line.line, divergent, metric(kernel.metrics, m::kBranchTargets),
      "a warp's lanes go different ways at " + number(divergent) + " of " +
          number(metric(line.metrics, m::kBranchTargets)) + " branches here");
}

void add_atomics(std::vector<ProfileFinding>& out, const KernelProfile& kernel, const LineProfile& line) {
  const auto atomics = [](const Metrics& all) {
    return of(all, m::kGlobalRequests, "atom") + of(all, m::kGlobalRequests, "red") +
           metric(all, m::kSharedAtomics);
  };
  const auto memory = metric(kernel.metrics, metric_name(m::kThreadOps, "memory", "_pred_on.sum")) / 32;
  // Where few lanes of a warp are active there are more requests than a 32nd of the lanes' operations.
  add(out, kernel, line.line, atomics(line.metrics), std::max(memory, atomics(kernel.metrics)),
      number(atomics(line.metrics)) + " warps make atomic operations here");
}

void add_local(std::vector<ProfileFinding>& out, const KernelProfile& kernel, const LineProfile& line) {
  const auto local = [](const Metrics& all) {
    return metric(all, m::kLocalLoads) + metric(all, m::kLocalStores);
  };
  add(out, kernel, line.line, local(line.metrics), metric(kernel.metrics, m::kWarpInstructions),
      "local memory: an array indexed at run time, or spilled registers");
}

/// "fp32 41%, memory 20%, ...", the largest first.
std::string mix_text(const Metrics& all) {
  std::vector<std::pair<double, std::string>> parts;
  const double whole = metric(all, m::kThreadInstructionsOn);
  for (const char* kind : {"fp32", "fp64", "fp16", "integer", "bit", "conversion", "control", "memory",
                           "inter_thread_communication", "misc"}) {
    const double part = metric(all, metric_name(m::kThreadOps, kind, "_pred_on.sum"));
    if (part >= 0.005 * whole && part > 0) parts.emplace_back(part / whole, kind);
  }
  std::sort(parts.rbegin(), parts.rend());
  std::string text;
  for (const auto& [share, kind] : parts)
    text += (text.empty() ? "" : ", ") + kind + " " + number(std::round(100 * share)) + "%";
  return text;
}

}  // namespace

std::vector<ProfileFinding> profile_findings(const Profile& profile, std::size_t most) {
  std::vector<ProfileFinding> out;
  for (const KernelProfile& kernel : profile.kernels) {
    std::vector<ProfileFinding> own;
    for (const LineProfile& line : kernel.lines) {
      add_sectors(own, kernel, line);
      add_conflicts(own, kernel, line);
      add_divergence(own, kernel, line);
      add_atomics(own, kernel, line);
      add_local(own, kernel, line);
    }
    std::stable_sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
    if (own.size() > most) own.resize(most);
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

std::string profile_summary(const KernelProfile& kernel) {
  const Metrics& all = kernel.metrics;
  const double sectors = sum_of(all, m::kGlobalSectors);
  std::string text = number(metric(all, m::kWarpInstructions)) + " warp instructions with " +
                     number(metric(all, m::kThreadsPerInstruction)) + " of 32 threads active, " +
                     number(flops_of(all)) + " flops, " + number(sum_of(all, m::kGlobalBytes)) +
                     " bytes of global memory asked for in " + number(sectors) + " sectors (" +
                     number(kSectorBytes * sectors) + " bytes)";
  const double wavefronts = sum_of(all, m::kSharedWavefronts);
  if (wavefronts > 0)
    text += ", " + number(wavefronts) + " wavefronts of shared memory with " +
            number(sum_of(all, m::kBankConflicts)) + " bank conflicts";
  const std::string mix = mix_text(all);
  return mix.empty() ? text : text + "; of its thread instructions " + mix;
}

std::string profile_origin(const Profile& profile) {
  std::string dims;
  for (const auto& [name, extent] : profile.dims)
    dims += (dims.empty() ? "" : ", ") + name + "=" + std::to_string(extent);
  return std::string("counted by ") + (profile.simulated ? "the " : "") + profile.source + " at " + dims +
         (profile.simulated ? " (simulated: PTX instructions, no caches, no time)" : "");
}

}  // namespace kgen::core
