#include "reference_ops/cross_entropy/reference.hpp"

#include <cmath>
#include <limits>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols], target [rows] -> loss [rows] in fp64; scale = its error in roundings of f32
/// (docs/verification.md, "Logarithms of sums").
Status cross_entropy(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto target = call.inputs.at("target");
  const auto loss = call.expected.at("loss");
  const auto scale = call.scale.at("loss");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double largest = -std::numeric_limits<double>::infinity();
      for (const double value : row) largest = std::fmax(largest, value);
      double sum = 0, spread = 0;  // spread: mean of |x - m| under the weights
      for (const double value : row) {
        const double shifted = value - largest, weight = std::exp(shifted);
        sum += weight;
        if (weight > 0) spread += weight * std::fabs(shifted);
      }
      const double log_sum = std::log(sum);
      const double chosen = row[static_cast<std::size_t>(target[r])] - largest;
      loss[r] = log_sum - chosen;
      const double growth =
          sum_growth(static_cast<double>(cols)) +
          alike_growth(cols, sum, [&](std::size_t c) { return std::exp(row[c] - largest); });
      // 2 |m| for kernels that add the maximum to the logarithm first.
      scale[r] = growth + 6.0 + 3.0 * spread / sum + 3.0 * std::fabs(log_sum) + 2.0 * std::fabs(chosen) +
                 2.0 * std::fabs(largest) + std::fabs(loss[r]);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
