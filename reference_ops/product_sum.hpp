#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace kgen::reference_ops {

/// A sum of products in fp64, and that of their magnitudes.
struct ProductSum {
  double sum = 0, magnitude = 0;
};

/// Two vectors of one length.
inline ProductSum product_sum(std::span<const double> a, std::span<const double> b) {
  ProductSum result;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double product = a[k] * b[k];
    result.sum += product;
    result.magnitude += std::fabs(product);
  }
  return result;
}

/// The group that a row belongs to, of those that end at `ends` (rising, the last beyond every row).
inline std::size_t group_of(std::span<const double> ends, std::size_t row) {
  std::size_t group = 0;
  while (static_cast<double>(row) >= ends[group]) ++group;
  return group;
}

}  // namespace kgen::reference_ops
