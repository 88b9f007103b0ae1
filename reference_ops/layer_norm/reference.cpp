#include "reference_ops/layer_norm/reference.hpp"

#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols], w, b [cols] -> y [rows, cols] in fp64; scale = its error in roundings of f32
/// (docs/verification.md, "Norms about a mean"). Ba, Kiros, Hinton, Layer Normalization, arXiv:1607.06450.
Status layer_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto w = call.inputs.at("w");
  const auto b = call.inputs.at("b");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double eps = call.task->attributes.at("eps"), count = static_cast<double>(cols),
               growth = sum_growth(count);
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double sum = 0, magnitude = 0, squares = 0, deviations = 0;
      for (const double value : row) sum += value, magnitude += std::fabs(value), squares += value * value;
      const double mean = sum / count;
      for (const double value : row) deviations += (value - mean) * (value - mean);
      const double variance = deviations / count, factor = 1.0 / std::sqrt(variance + eps);
      const double mean_error = (growth + 2.0) * magnitude / count;
      const double condition =
          variance > 0 ? std::sqrt(squares / count / variance) * variance / (variance + eps) : 0.0;
      for (std::size_t c = 0; c < cols; ++c) {
        const double normed = (row[c] - mean) * factor;
        y[r * cols + c] = normed * w[c] + b[c];
        scale[r * cols + c] =
            std::fabs(w[c]) * (factor * (mean_error + 2.0 * std::fabs(row[c]) + 2.0 * std::fabs(mean)) +
                               std::fabs(normed) * (8.0 + 0.5 * (growth + 6.0) * condition)) +
            std::fabs(b[c]) + std::fabs(y[r * cols + c]);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
