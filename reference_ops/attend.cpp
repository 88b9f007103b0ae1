#include "reference_ops/attend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference_ops/dot.hpp"
#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {
namespace {

/// Fills weights = exp(s - max s) and their errors; returns the weights' sum.
double weigh(const QueryRow& row) {
  const auto length = static_cast<double>(row.query.size());
  const double query_norm = std::sqrt(dot(row.query, row.query));
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < row.visible(); ++j) {
    row.weights[j] = row.logit_scale * dot(row.query, row.key(j));
    largest = std::fmax(largest, row.weights[j]);
  }
  double sum = 0;
  for (std::size_t j = 0; j < row.visible(); ++j) {
    const double condition = row.logit_scale * query_norm * std::sqrt(dot(row.key(j), row.key(j)));
    const double shifted = row.weights[j] - largest;
    row.weights[j] = std::exp(shifted);
    row.roundings[j] = (sum_growth(length) + 5) * condition + 2 * std::fabs(shifted) + 4;
    sum += row.weights[j];
  }
  return sum;
}

}  // namespace

WeightRounding::WeightRounding(core::DType dtype)
    : relative(core::unit_roundoff(dtype) / core::unit_roundoff(core::DType::f32)),
      absolute(core::facts_of(dtype).min_normal * relative) {}

void attend(const QueryRow& row) {
  std::fill(row.out.begin(), row.out.end(), 0.0);
  std::fill(row.scale.begin(), row.scale.end(), 0.0);
  const std::size_t visible = row.visible(), width = row.query.size();
  if (visible == 0) return;
  const auto count = static_cast<double>(visible);
  const auto distinct = static_cast<double>(row.distinct > 0 ? row.distinct : visible);
  const double growth = sum_growth_of_rows(count, distinct);
  const double sum = weigh(row), adding = growth + 8;
  std::vector<double> squares(width, 0.0);
  double sum_roundings = 0;
  for (std::size_t j = 0; j < visible; ++j) {
    const double weight = row.weights[j] / sum;
    const double error = weight * (adding + row.roundings[j]) + row.rounding.absolute / sum;
    sum_roundings += weight * row.roundings[j];
    for (std::size_t d = 0; d < width; ++d) {
      const double term = weight * row.values[j * width + d];
      row.out[d] += term;
      squares[d] += term * term;
      row.scale[d] += error * std::fabs(row.values[j * width + d]);
    }
  }
  const double independent = row.rounding.relative * std::max(growth, 1.0) / std::sqrt(count);
  for (std::size_t d = 0; d < width; ++d) {
    row.scale[d] += std::fabs(row.out[d]) * (adding + sum_roundings) + independent * std::sqrt(squares[d]);
  }
}

}  // namespace kgen::reference_ops
