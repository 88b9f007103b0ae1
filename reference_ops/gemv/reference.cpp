#include "reference_ops/gemv/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// a [M, K], x [K] -> y [M] in fp64; scale = |a| |x|.
Status gemv(const ReferenceCall& call) {
  const auto a = call.inputs.at("a"), x = call.inputs.at("x");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  parallel_for(call.task->dims.at("M"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m) {
      double sum = 0, magnitude = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double product = a[m * x.size() + k] * x[k];
        sum += product;
        magnitude += std::fabs(product);
      }
      y[m] = sum;
      scale[m] = magnitude;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
