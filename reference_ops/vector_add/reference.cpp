#include "reference_ops/vector_add/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// a, b [n] -> y [n] in fp64; scale = |a| + |b|.
Status vector_add(const ReferenceCall& call) {
  const auto a = call.inputs.at("a");
  const auto b = call.inputs.at("b");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      y[i] = a[i] + b[i];
      scale[i] = std::fabs(a[i]) + std::fabs(b[i]);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
