#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace kgen::reference_ops {

/// lambda of the probabilistic bound on rounding errors of a sum, lambda * sqrt(n) * u (Higham and Mary, A
/// New Approach to Probabilistic Rounding Error Analysis, SIAM J. Sci. Comput. 41(5), 2019).
inline constexpr double kGrowthLambda = 4.0;

/// Roundings' worth by which a sum of `length` terms errs: min(length, lambda * sqrt(length)); 0 for no sum
/// (docs/verification.md, "Tolerance").
inline double sum_growth(double length) {
  return length <= 1 ? 0.0 : std::min(length, kGrowthLambda * std::sqrt(length));
}

/// The same of terms that come from `rows` rows: each comes length / rows times and errs alike each time, so
/// length / sqrt(rows) where that is more.
inline double sum_growth_of_rows(double length, double rows) {
  return length <= 1 ? 0.0 : std::max(sum_growth(length), length / std::sqrt(rows));
}

/// f32's spacing at a finite value other than 0, as if exponents had no end.
inline double f32_spacing(double value) {
  return std::ldexp(1.0, std::ilogb(value) - 23);
}

/// Longest sum that is expected of one plain f32 loop.
constexpr std::size_t kLongestPlainSum = 131072;

/// Roundings' worth by which a sum of `count` non-negative terms, term(0) and so on, that is `sum` errs
/// beside sum_growth(count), because many of them round alike (docs/verification.md, "Sums of equal terms").
/// Longer sums than kLongestPlainSum are expected in parts: what all parts lose at their own spacings is
/// granted whole, and at a coarser spacing the share of the parts whose sums can be that large: of parts
/// whose sums reach 2^-k of the binade of `sum` there are at most 2^k times its significand.
template <class Term>
double alike_growth(std::size_t count, double sum, const Term& term) {
  if (count == 0 || !(sum > 0 && sum < INFINITY)) return 0.0;
  constexpr int kSpacings = 4;  // a pass over the terms looks at a spacing and three below
  const double length = static_cast<double>(count), most = length - sum_growth(length);
  const double longest = static_cast<double>(kLongestPlainSum);
  double spacing = f32_spacing(sum), alike = 0;
  const double share = longest / length * (sum / (spacing * 0x1p23));
  for (double parts = 1;; parts *= 1 << kSpacings, spacing /= 1 << kSpacings) {
    const double inverse = 1.0 / spacing;
    double lost[kSpacings] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const double value = term(i);
      for (int k = 0; k < kSpacings; ++k)
        lost[k] += value - spacing / (1 << k) * std::nearbyint(value * inverse * (1 << k));
    }
    for (int k = 0; k < kSpacings; ++k)
      alike = std::max(alike, std::min(std::fabs(lost[k]) / (sum * 0x1p-24), most) *
                                  std::min(1.0, share * parts * (1 << k)));
    if (length <= longest * parts) return alike;
  }
}

}  // namespace kgen::reference_ops
