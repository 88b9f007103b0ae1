#include "reference_ops/residual_rms_norm/reference.hpp"

#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x, residual [rows, cols], w [cols] -> residual, y [rows, cols] in fp64. Zhang and Sennrich, Root Mean
/// Square Layer Normalization, arXiv:1910.07467. Scale of y: as rms_norm's, of eight steps.
Status residual_rms_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), residual = call.inputs.at("residual"), w = call.inputs.at("w");
  const auto sums = call.expected.at("residual"), y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double eps = call.task->attributes.at("eps");
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double squares = 0;
      for (std::size_t i = r * cols; i < (r + 1) * cols; ++i) {
        sums[i] = x[i] + residual[i];
        squares += sums[i] * sums[i];
      }
      const double factor = 1.0 / std::sqrt(squares / static_cast<double>(cols) + eps);
      const auto h = sums.subspan(r * cols, cols);
      const double alike = alike_growth(cols, squares, [&](std::size_t c) { return h[c] * h[c]; }) / 16.0;
      for (std::size_t c = 0; c < cols; ++c) {
        y[r * cols + c] = h[c] * factor * w[c];
        scale[r * cols + c] = std::fabs(y[r * cols + c]) * (1.0 + alike);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
