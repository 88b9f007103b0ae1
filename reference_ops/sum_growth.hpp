#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kgen::reference_ops {

/// Roundings' worth by which a sum of `length` terms errs (docs/verification.md, "Tolerance").
inline double sum_growth(double length) {
  return length <= 1 ? 0.0 : std::min(length, 4.0 * std::sqrt(length));
}

/// Longest sum that is expected of one plain f32 loop.
constexpr std::size_t kLongestPlainSum = 131072;

/// Roundings' worth by which a sum of `count` non-negative terms, term(0) and so on, that is `sum` errs
/// beside sum_growth(count), because many of them round alike (docs/verification.md, "Sums of equal terms").
/// Of more than kLongestPlainSum terms the share that one plain loop adds up is granted.
template <class Term>
double alike_growth(std::size_t count, double sum, const Term& term) {
  if (count == 0 || !(sum > 0 && sum < INFINITY)) return 0.0;
  constexpr int kSpacings = 4;  // f32's at the sum, and three below
  const double spacing = std::ldexp(1.0, std::ilogb(sum) - 23), inverse = 1.0 / spacing;
  double lost[kSpacings] = {}, largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = term(i);
    for (int k = 0; k < kSpacings; ++k)
      lost[k] += value - spacing / (1 << k) * std::nearbyint(value * inverse * (1 << k));
  }
  for (const double one : lost) largest = std::max(largest, std::fabs(one));
  const double length = static_cast<double>(count);
  const double share = std::min(1.0, static_cast<double>(kLongestPlainSum) / length);
  return std::min(largest / (sum * 0x1p-24), length - sum_growth(length)) * share;
}

}  // namespace kgen::reference_ops
