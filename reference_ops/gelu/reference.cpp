#include "reference_ops/gelu/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [n] -> y [n] in fp64; scale = |x|. Hendrycks and Gimpel, Gaussian Error Linear Units, arXiv:1606.08415.
Status gelu(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const bool tanh_form = call.task->attributes.at("tanh_form") != 0;
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const double v = x[i];
      // erfc keeps what 1 + erf cancels.
      const double gate = tanh_form
                              ? 0.5 * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (v + 0.044715 * v * v * v)))
                              : 0.5 * std::erfc(-v / std::sqrt(2.0));
      y[i] = v * gate;
      scale[i] = std::fabs(v);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
