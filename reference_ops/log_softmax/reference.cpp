#include "reference_ops/log_softmax/reference.hpp"

#include <cmath>
#include <limits>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows, cols] in fp64; scale = its error in roundings of f32 (docs/verification.md,
/// "Logarithms of sums").
Status log_softmax(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double largest = -std::numeric_limits<double>::infinity();
      for (const double value : row) largest = std::fmax(largest, value);
      double sum = 0, spread = 0;  // spread: mean of |x - m| under the weights
      const auto weights = y.subspan(r * cols, cols);
      for (std::size_t c = 0; c < cols; ++c) {
        const double shifted = row[c] - largest, weight = std::exp(shifted);
        weights[c] = weight;
        sum += weight;
        if (weight > 0) spread += weight * std::fabs(shifted);
      }
      const double log_sum = std::log(sum);
      const double growth = sum_growth(static_cast<double>(cols)) +
                            alike_growth(cols, sum, [&](std::size_t c) { return weights[c]; });
      const double of_maximum =
          std::fmin(2.0 * std::fabs(largest), std::fabs(log_sum) / core::unit_roundoff(core::DType::f32));
      const double of_sum = growth + 6.0 + 3.0 * spread / sum + 3.0 * std::fabs(log_sum) + of_maximum;
      for (std::size_t c = 0; c < cols; ++c) {
        const double shifted = row[c] - largest;
        y[r * cols + c] = shifted - log_sum;
        scale[r * cols + c] = of_sum + 2.0 * std::fabs(shifted) + std::fabs(y[r * cols + c]);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
