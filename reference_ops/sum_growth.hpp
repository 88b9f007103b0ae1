#pragma once

#include <algorithm>
#include <cmath>

namespace kgen::reference_ops {

/// Roundings' worth by which a sum of `length` terms errs (docs/verification.md, "Tolerance").
inline double sum_growth(double length) {
  return length <= 1 ? 0.0 : std::min(length, 4.0 * std::sqrt(length));
}

}  // namespace kgen::reference_ops
