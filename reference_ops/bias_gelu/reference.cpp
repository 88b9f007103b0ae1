#include "reference_ops/bias_gelu/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [rows, cols], b [cols] -> y [rows, cols] in fp64; scale = |x + b|.
Status bias_gelu(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto b = call.inputs.at("b");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(static_cast<std::int64_t>(y.size()), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const double v = x[i] + b[i % cols];
      y[i] = v * 0.5 * std::erfc(-v / std::sqrt(2.0));  // erfc keeps what 1 + erf cancels
      scale[i] = std::fabs(v);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
