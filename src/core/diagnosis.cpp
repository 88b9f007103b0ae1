#include "core/diagnosis.hpp"

#include <algorithm>

#include "core/diagnosis_evidence.hpp"

namespace kgen::core {
namespace {

constexpr rules::Rule kRules[] = {
    rules::tensor_idle,   rules::uncoalesced, rules::bank_conflicts, rules::local_memory,
    rules::atomics,       rules::divergence,  rules::barrier_bound,  rules::occupancy,
    rules::small_grid,    rules::tail_effect, rules::launch_bound,   rules::bytes_in_flight,
    rules::latency_bound, rules::pipe_bound,  rules::issue_bound,    rules::extra_traffic,
    rules::l2_bound,      rules::dram_bound,
};
constexpr double kLeastWeight = 0.05;  ///< below it a cause is not worth a sentence

/// Share of the plan's time; alike where nothing was timed.
double time_share(const Profile& profile, const KernelProfile& kernel) {
  const auto own_us = [&](const KernelProfile& k) { return rules::Evidence(k, profile.task).duration_us(); };
  double whole = 0;
  for (const KernelProfile& k : profile.kernels) whole += own_us(k);
  if (whole <= 0) return profile.kernels.empty() ? 0 : 1.0 / static_cast<double>(profile.kernels.size());
  return own_us(kernel) / whole;
}

}  // namespace

std::string lines_text(const std::vector<int>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
  return text.empty() ? "" : (lines.size() > 1 ? "lines " : "line ") + text;
}

std::vector<Diagnosis> diagnose(const Profile& profile) {
  std::vector<Diagnosis> out;
  for (const KernelProfile& kernel : profile.kernels) {
    const rules::Evidence evidence(kernel, profile.task);
    for (const rules::Rule rule : kRules) {
      auto found = rule(evidence);
      if (!found) continue;
      found->weight *= time_share(profile, kernel);
      if (found->weight >= kLeastWeight) out.push_back(std::move(*found));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  return out;
}

}  // namespace kgen::core
