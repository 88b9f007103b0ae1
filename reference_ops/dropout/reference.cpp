#include "reference_ops/dropout/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x, mask [n] -> y [n] in fp64; scale = |y| / (1 - p), and for an x that f32 arithmetic may flush to zero
/// what makes 4 u of it the whole of y (docs/verification.md, "Tolerance").
Status dropout(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto mask = call.inputs.at("mask");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const double p = call.task->attributes.at("p");
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      y[i] = mask[i] != 0 ? x[i] / (1.0 - p) : 0.0;
      const bool is_subnormal = std::fabs(x[i]) < 0x1p-126;
      scale[i] = std::fabs(y[i]) / (1.0 - p) + (is_subnormal ? std::fabs(y[i]) * 0x1p22 : 0.0);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
