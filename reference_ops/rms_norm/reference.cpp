#include "reference_ops/rms_norm/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [rows, cols], w [cols] -> y [rows, cols] in fp64; Zhang and Sennrich, Root Mean Square Layer
/// Normalization, 2019.
Status rms_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto w = call.inputs.at("w");
  const auto y = call.expected.at("y");
  const double eps = call.task->attributes.at("eps");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double sum = 0;
      for (const double value : row) sum += value * value;
      const double root = std::sqrt(sum / static_cast<double>(cols) + eps);
      for (std::size_t c = 0; c < cols; ++c) y[r * cols + c] = row[c] / root * w[c];
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
