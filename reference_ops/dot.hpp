#pragma once

#include <cstddef>
#include <span>

namespace kgen::reference_ops {

/// The product of two vectors of one length.
inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

}  // namespace kgen::reference_ops
