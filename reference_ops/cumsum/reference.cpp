#include "reference_ops/cumsum/reference.hpp"

#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows, cols] in fp64; scale = growth of a sum of c + 1 terms, times the sum of their
/// magnitudes.
Status cumsum(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double sum = 0, magnitude = 0;
      for (std::size_t c = 0; c < cols; ++c) {
        sum += x[r * cols + c];
        magnitude += std::fabs(x[r * cols + c]);
        y[r * cols + c] = sum;
        scale[r * cols + c] = sum_growth(static_cast<double>(c + 1)) * magnitude;
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
