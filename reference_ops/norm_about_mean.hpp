#pragma once

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

inline NormFacts norm_facts(std::span<const double> values, double eps) {
  const double count = static_cast<double>(values.size()), growth = sum_growth(count);
  double sum = 0, magnitude = 0, squares = 0, deviations = 0;
  for (const double value : values) sum += value, magnitude += std::fabs(value), squares += value * value;
  const double mean = sum / count;
  for (const double value : values) deviations += (value - mean) * (value - mean);
  const double variance = deviations / count;
  const double alike = alike_growth(values.size(), deviations,
                                    [&](std::size_t i) { return (values[i] - mean) * (values[i] - mean); });
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
