#include "core/diagnosis_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kgen::core::rules {
namespace {

constexpr double kLeastLineShare = 0.05;
constexpr std::size_t kMostLines = 3;

std::string stall_name(std::string_view reason) {
  return metric_name("smsp__average_warps_issue_stalled_", reason, "_per_issue_active.ratio");
}

}  // namespace

std::optional<double> Evidence::get(std::string_view name) const {
  const auto found = kernel_.metrics.find(name);
  if (found == kernel_.metrics.end()) return std::nullopt;
  return found->second;
}

double Evidence::sum(std::initializer_list<std::string_view> names) const {
  double out = 0;
  for (const std::string_view name : names) out += metric(kernel_.metrics, name);
  return out;
}

std::optional<double> Evidence::share(std::string_view name) const {
  const auto value = get(name);
  if (!value) return std::nullopt;
  const double part = name.ends_with("_elapsed") ? span() : 1;
  return std::clamp(*value / 100 / part, 0.0, 1.0);
}

double Evidence::duration_us() const {
  const double counted_us = metric(kernel_.metrics, metrics::kDuration) / 1000;
  const double clock_hz = get("sm__cycles_elapsed.avg.per_second").value_or(0);
  const double cycles = get("sm__cycles_active.max").value_or(0);
  if (clock_hz <= 0 || cycles <= 0) return counted_us;
  const double launches = std::max(1.0, get("launch__count").value_or(1));
  return std::min(counted_us, launches * cycles / clock_hz * 1e6);
}

double Evidence::span() const {
  const double counted_us = metric(kernel_.metrics, metrics::kDuration) / 1000;
  return counted_us > 0 ? duration_us() / counted_us : 1;
}

std::optional<double> Evidence::largest(std::initializer_list<std::string_view> names) const {
  std::optional<double> out;
  for (const std::string_view name : names) {
    const auto value = share(name);
    if (value) out = std::max(out.value_or(0), *value);
  }
  return out;
}

double Evidence::dram_use() const {
  return share("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed").value_or(timed() ? 0 : 1);
}

double Evidence::memory_use() const {
  return largest({"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
                  "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                  "lts__throughput.avg.pct_of_peak_sustained_elapsed",
                  "l1tex__throughput.avg.pct_of_peak_sustained_active"})
      .value_or(timed() ? 0 : 1);
}

double Evidence::sm_use() const {
  return share("sm__throughput.avg.pct_of_peak_sustained_elapsed").value_or(timed() ? 0 : 1);
}

double Evidence::use() const {
  return std::max(memory_use(), sm_use());
}

double Evidence::balance() const {
  const auto average = get("sm__cycles_active.avg");
  const auto longest = get("sm__cycles_active.max");
  return average && longest && *longest > 0 ? std::clamp(*average / *longest, 0.0, 1.0) : 1;
}

double Evidence::lanes() const {
  return std::clamp(get(metrics::kThreadsPerInstruction).value_or(32) / 32, 0.0, 1.0);
}

double Evidence::stalled(std::initializer_list<std::string_view> reasons) const {
  const auto whole = get("smsp__average_warp_latency_per_inst_issued.ratio");
  if (!whole || *whole <= 0) return 0;
  double part = 0;
  for (const std::string_view reason : reasons) part += metric(kernel_.metrics, stall_name(reason));
  return std::clamp(part / *whole, 0.0, 1.0);
}

std::vector<int> Evidence::lines(std::initializer_list<std::string_view> reasons,
                                 const std::function<double(const Metrics&)>& count) const {
  std::vector<std::pair<double, int>> found;
  double whole = 0;
  const auto add = [&](const std::function<double(const Metrics&)>& of) {
    for (const LineProfile& line : kernel_.lines) {
      const double value = of(line.metrics);
      whole += value;
      if (line.line > 0) found.emplace_back(value, line.line);
    }
  };
  add([&](const Metrics& all) {
    double samples = 0;
    for (const std::string_view reason : reasons)
      samples += metric(all, metric_name(metrics::kSamples, reason, ""));
    return samples;
  });
  if (whole <= 0 && count) {
    found.clear();
    add(count);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<int> out;
  for (const auto& [value, line] : found) {
    if (out.size() < kMostLines && value > 0 && value >= kLeastLineShare * whole) out.push_back(line);
  }
  return out;
}

Diagnosis Evidence::say(std::string rule, double weight, std::string what, std::vector<int> lines,
                        std::string advice) const {
  return {std::move(rule), kernel_.kernel,   std::clamp(weight, 0.0, 1.0),
          std::move(what), std::move(lines), std::move(advice)};
}

std::string figure(double value) {
  char text[32];
  if (std::abs(value) >= 1e6) {
    std::snprintf(text, sizeof text, "%.3g million", value / 1e6);
  } else if (value == std::floor(value)) {
    std::snprintf(text, sizeof text, "%.0f", value);
  } else {
    std::snprintf(text, sizeof text, "%.3g", value);
  }
  return text;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * share);
  return text;
}

}  // namespace kgen::core::rules
