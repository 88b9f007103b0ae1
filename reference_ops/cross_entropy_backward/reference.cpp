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
  const double kRounding = core::unit_roundoff(core::DType::f32);
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double largest = -std::numeric_limits<double>::infinity();
      for (const double value : row) largest = std::fmax(largest, value);
      double sum = 0, spread = 0;  // spread: mean of |x - m| under the weights
      const auto weights = dx.subspan(r * cols, cols);
      for (std::size_t c = 0; c < cols; ++c) {
        const double shifted = row[c] - largest, weight = std::exp(shifted);
        weights[c] = weight;
        sum += weight;
        if (weight > 0) spread += weight * std::fabs(shifted);
      }
      const double alike = alike_growth(cols, sum, [&](std::size_t c) { return weights[c]; });
      const double log_sum = std::fabs(std::log(sum));
      // exp(x - (m + log sum)): an argument off by d makes p larger by exp(d) at most.
      const double of_maximum =
          std::expm1(std::fmin(2.0 * kRounding * std::fabs(largest), log_sum)) / kRounding;
      const double of_sum = growth + alike + 10.0 + 3.0 * spread / sum + 6.0 * log_sum + of_maximum;
      for (std::size_t c = 0; c < cols; ++c) {
        const double shifted = row[c] - largest, p = weights[c] / sum;
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
