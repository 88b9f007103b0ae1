#include "reference_ops/cross_entropy_backward/reference.hpp"

#include <cmath>
#include <limits>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols], target, g [rows] -> dx [rows, cols] in fp64; scale = its error in roundings of f32
/// (docs/verification.md, "Logarithms of sums").
Status cross_entropy_backward(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), target = call.inputs.at("target"), g = call.inputs.at("g");
  const auto dx = call.expected.at("dx"), scale = call.scale.at("dx");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double growth = sum_growth(static_cast<double>(cols));
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
      const double of_sum = growth + 10.0 + 3.0 * spread / sum + 2.0 * std::fabs(std::log(sum));
      for (std::size_t c = 0; c < cols; ++c) {
        const double shifted = row[c] - largest, p = std::exp(shifted) / sum;
        const double difference = p - (static_cast<double>(c) == target[r] ? 1.0 : 0.0);
        dx[r * cols + c] = g[r] * difference;
        const double of_p = p > 0 ? p * (of_sum + 3.0 * std::fabs(shifted)) : p;
        scale[r * cols + c] = std::fabs(g[r]) * (of_p + 2.0 * std::fabs(difference));
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
