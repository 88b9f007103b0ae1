#include "reference_ops/gemv_int4/reference.hpp"

#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// q [M, K / 8] of packed values, s [M, K / group], x [K] -> y [M] in fp64; scale = growth(K) of the sum of
/// |q - 8| |s x|, and 4 of that of (q + 8) |s x|.
Status gemv_int4(const ReferenceCall& call) {
  const auto q = call.inputs.at("q"), s = call.inputs.at("s"), x = call.inputs.at("x");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const auto group = static_cast<std::size_t>(call.task->attributes.at("group"));
  parallel_for(call.task->dims.at("M"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m) {
      double sum = 0, magnitude = 0, weights = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const std::size_t at = m * x.size() + k;
        const double value =
            static_cast<double>(static_cast<std::uint32_t>(q[at / 8]) >> (4 * (k % 8)) & 15U);
        const double factor = s[at / group] * x[k];
        sum += (value - 8.0) * factor;
        magnitude += std::fabs((value - 8.0) * factor);
        weights += (value + 8.0) * std::fabs(factor);
      }
      y[m] = sum;
      scale[m] = sum_growth(static_cast<double>(x.size())) * magnitude + 4.0 * weights;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
