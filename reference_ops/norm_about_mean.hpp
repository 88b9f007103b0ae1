#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// What a norm about the mean of some values needs, in fp64, and by what it errs (docs/verification.md,
/// "Norms about a mean").
struct NormFacts {
  double mean;
  double factor;          ///< 1 / sqrt(variance + eps)
  double mean_error;      ///< in roundings of f32
  double variance_error;  ///< the same, relative to variance + eps
};

/// alike_growth of the squared deviations, `deviations` in all, or where that is more of what updating
/// (Welford) adds up in their place: (x - m) (x - m') with the running means before and behind x, which are
/// farther from equal values than the last mean is. A loop that is too long to be plain has no running mean.
inline double deviations_growth(std::span<const double> values, double mean, double deviations) {
  const double about_last = alike_growth(
      values.size(), deviations, [&](std::size_t i) { return (values[i] - mean) * (values[i] - mean); });
  if (values.size() > kLongestPlainSum) return about_last;
  double running = 0;  // one pass over the values, in their order
  const double about_running = alike_growth(values.size(), deviations, [&](std::size_t i) {
    const double count = static_cast<double>(i), before = values[i] - running / std::max(count, 1.0);
    running += values[i];
    return before * (values[i] - running / (count + 1.0));
  });
  return std::max(about_last, about_running);
}

inline NormFacts norm_facts(std::span<const double> values, double eps) {
  const double count = static_cast<double>(values.size()), growth = sum_growth(count);
  double sum = 0, magnitude = 0, squares = 0, deviations = 0;
  for (const double value : values) sum += value, magnitude += std::fabs(value), squares += value * value;
  const double mean = sum / count;
  for (const double value : values) deviations += (value - mean) * (value - mean);
  const double variance = deviations / count;
  const double alike = deviations_growth(values, mean, deviations);
  const double condition = variance > 0 ? std::sqrt(squares / count / variance) : 0.0;
  const double variance_error = ((growth + 6.0) * condition + alike) * variance / (variance + eps);
  return {mean, 1.0 / std::sqrt(variance + eps), (growth + 2.0) * magnitude / count, variance_error};
}

/// By how many roundings of f32 (value - mean) factor weight + bias may err.
inline double norm_error(const NormFacts& facts, double value, double weight, double bias) {
  const double normed = (value - facts.mean) * facts.factor;
  return std::fabs(weight) *
             (facts.factor * (facts.mean_error + 2.0 * std::fabs(value) + 2.0 * std::fabs(facts.mean)) +
              std::fabs(normed) * (8.0 + 0.5 * facts.variance_error)) +
         std::fabs(bias) + std::fabs(normed * weight + bias);
}

}  // namespace kgen::reference_ops
