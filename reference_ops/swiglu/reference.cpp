#include "reference_ops/swiglu/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// gate, up [n] -> y [n] in fp64; scale = |y| (1 + |gate|). Shazeer, GLU Variants Improve Transformer,
/// arXiv:2002.05202.
Status swiglu(const ReferenceCall& call) {
  const auto gate = call.inputs.at("gate");
  const auto up = call.inputs.at("up");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      y[i] = gate[i] / (1.0 + std::exp(-gate[i])) * up[i];
      scale[i] = std::fabs(y[i]) * (1.0 + std::fabs(gate[i]));
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
