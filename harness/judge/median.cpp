#include "harness/judge/median.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kgen::judge {

/// The interval from the r-th to the (n-1-r)-th smallest misses the median with probability 2 P(B <= r), B
/// binomial (n, 1/2): the largest r where that is at most 5%.
int lower_rank(int n) {
  double log_term = -n * std::log(2.0);  // of P(B = k), k = 0
  double below = 0;
  int rank = -1;
  for (int k = 0; k < n; ++k) {
    below += std::exp(log_term);
    if (below > 0.025) break;
    rank = k;
    log_term += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
  }
  return std::max(rank, 0);
}

core::Interval median_interval(std::vector<double> samples) {
  core::Interval out;
  out.samples = static_cast<int>(samples.size());
  if (samples.empty()) return out;
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  out.median_us = n % 2 == 1 ? samples[n / 2] : 0.5 * (samples[n / 2 - 1] + samples[n / 2]);
  const auto rank = static_cast<std::size_t>(lower_rank(static_cast<int>(n)));
  out.low_us = samples[rank];
  out.high_us = samples[n - 1 - rank];
  return out;
}

core::Interval widened(core::Interval interval, double spread) {
  interval.low_us *= 1 - spread;
  interval.high_us *= 1 + spread;
  return interval;
}

double relative_half_width(const core::Interval& interval) {
  if (interval.samples == 0 || interval.median_us <= 0) return std::numeric_limits<double>::infinity();
  return 0.5 * (interval.high_us - interval.low_us) / interval.median_us;
}

}  // namespace kgen::judge
