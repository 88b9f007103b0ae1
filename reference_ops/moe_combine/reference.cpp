#include "reference_ops/moe_combine/reference.hpp"

#include <algorithm>
#include <cmath>

namespace kgen::reference_ops {

/// x [rows, width], slots, weights [tokens, k] -> y [tokens, width] in fp64; scale = sum of the products'
/// magnitudes.
Status moe_combine(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), slots = call.inputs.at("slots"), weights = call.inputs.at("weights");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const auto width = static_cast<std::size_t>(call.task->dims.at("width"));
  const auto k = static_cast<std::size_t>(call.task->attributes.at("k"));
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(scale.begin(), scale.end(), 0.0);
  parallel_for(call.task->dims.at("tokens"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) {
      for (std::size_t j = t * k; j < (t + 1) * k; ++j) {
        const auto row = x.subspan(static_cast<std::size_t>(slots[j]) * width, width);
        for (std::size_t c = 0; c < width; ++c) {
          y[t * width + c] += weights[j] * row[c];
          scale[t * width + c] += std::fabs(weights[j] * row[c]);
        }
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
