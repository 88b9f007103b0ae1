#include "reference_ops/add_relu/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// a [n], b [n] -> y [n] in fp64; scale = |a| + |b|.
Status add_relu(const ReferenceCall& call) {
  const auto a = call.inputs.at("a");
  const auto b = call.inputs.at("b");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const double sum = a[i] + b[i];
      y[i] = sum < 0.0 ? 0.0 : sum;  // NaN compares false and stays
      scale[i] = std::fabs(a[i]) + std::fabs(b[i]);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
