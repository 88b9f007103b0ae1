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

/// What a loop over values loses because steps round alike, beside the growth of its sums
/// (docs/verification.md, "Norms about a mean").
struct AlikeLosses {
  double mean = 0;        ///< of the mean, as it is: what an updated one loses
  double deviations = 0;  ///< of the sum of squared deviations, in roundings of it
};

/// What f32 loses of a step after which a mean is `mean`: all of it where it is below half the spacing there,
/// which leaves the mean where it is. Larger steps round one way and the other, and are forgotten.
inline double lost_of_step(double mean, double step) {
  if (mean == 0 || !std::isfinite(mean)) return 0;
  const double spacing = f32_spacing(mean);
  return std::nearbyint(step / spacing) == 0 ? step : 0;
}

/// What f32 loses of a term that a loop adds up, after which the sum is `sum`: what lies between
/// its spacings.
inline double lost_of_term(double sum, double term) {
  if (!(sum > 0 && std::isfinite(sum))) return 0;
  const double spacing = f32_spacing(sum);
  return term - spacing * std::nearbyint(term / spacing);
}

/// The deviations' about the last mean, `deviations` in all, or where that is more of what updating (Welford)
/// adds up in their place: (x - m) (x - m') with the running means before and behind x, which are farther
/// from equal values than the last one is. These fall slowly behind a value far larger than the others, and
/// round alike as long as they do: what they lose in their order is granted too. Of longer rows than one
/// plain loop holds this is not looked at.
inline AlikeLosses alike_losses(std::span<const double> values, double mean, double deviations) {
  AlikeLosses out;
  out.deviations = alike_growth(values.size(), deviations,
                                [&](std::size_t i) { return (values[i] - mean) * (values[i] - mean); });
  if (values.size() > kLongestPlainSum) return out;
  double sum = 0, now = 0, lost = 0, added = 0, lost_in_order = 0;
  // One pass over the values, in their order.
  const double updated = alike_growth(values.size(), deviations, [&](std::size_t i) {
    const double before = now;
    sum += values[i];
    now = sum / static_cast<double>(i + 1);
    lost += lost_of_step(now, now - before);
    const double term = (values[i] - before) * (values[i] - now);
    added += term;
    lost_in_order += lost_of_term(added, term);
    return term;
  });
  const double in_order = deviations > 0 ? std::fabs(lost_in_order) / (deviations * 0x1p-24) : 0;
  return {std::fabs(lost), std::max({out.deviations, updated, in_order})};
}

inline NormFacts norm_facts(std::span<const double> values, double eps) {
  const double count = static_cast<double>(values.size()), growth = sum_growth(count);
  double sum = 0, magnitude = 0, squares = 0, deviations = 0;
  for (const double value : values) sum += value, magnitude += std::fabs(value), squares += value * value;
  const double mean = sum / count;
  for (const double value : values) deviations += (value - mean) * (value - mean);
  const double variance = deviations / count;
  const AlikeLosses alike = alike_losses(values, mean, deviations);
  const double mean_error = (growth + 2.0) * magnitude / count + alike.mean / 0x1p-24;
  const double condition = variance > 0 ? std::sqrt(squares / count / variance) : 0.0;
  const double variance_error = ((growth + 6.0) * condition + alike.deviations) * variance / (variance + eps);
  return {mean, 1.0 / std::sqrt(variance + eps), mean_error, variance_error};
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
