#include "reference_ops/residual_add/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x, r [n] -> x [n] in fp64; scale = |x| + |r|.
Status residual_add(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto r = call.inputs.at("r");
  const auto after = call.expected.at("x");
  const auto scale = call.scale.at("x");
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      after[i] = x[i] + r[i];
      scale[i] = std::fabs(x[i]) + std::fabs(r[i]);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
