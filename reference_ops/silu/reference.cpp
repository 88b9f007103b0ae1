#include "reference_ops/silu/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [n] -> y [n] in fp64; scale = |y| (1 + |x|), the condition of exp at x.
Status silu(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      y[i] = x[i] / (1.0 + std::exp(-x[i]));
      scale[i] = std::fabs(y[i]) * (1.0 + std::fabs(x[i]));
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
