#include "reference_ops/kl_div/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// q, p [rows, cols] -> loss [rows] in fp64; scale = sum of p (|log p| + |q|).
Status kl_div(const ReferenceCall& call) {
  const auto q = call.inputs.at("q");
  const auto p = call.inputs.at("p");
  const auto loss = call.expected.at("loss");
  const auto scale = call.scale.at("loss");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double sum = 0, magnitude = 0;
      for (std::size_t c = r * cols; c < (r + 1) * cols; ++c) {
        if (!(p[c] > 0)) continue;
        const double log_p = std::log(p[c]);
        sum += p[c] * (log_p - q[c]);
        magnitude += p[c] * (std::fabs(log_p) + std::fabs(q[c]));
      }
      loss[r] = sum;
      scale[r] = magnitude;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
