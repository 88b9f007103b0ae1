#include "reference_ops/rms_norm/reference.hpp"

#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols], w [cols] -> y [rows, cols] in fp64; Zhang and Sennrich, Root Mean Square Layer
/// Normalization, 2019. Scale: |y| and a twelfth of what the sum errs by because of terms that round alike;
/// the root halves it, and the scale counts in six steps. Where f32 arithmetic may flush x or w to zero, six
/// steps of it are the whole of y (docs/verification.md, "Tolerance").
Status rms_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto w = call.inputs.at("w");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const double eps = call.task->attributes.at("eps");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double sum = 0;
      for (const double value : row) sum += value * value;
      const double root = std::sqrt(sum / static_cast<double>(cols) + eps);
      const double alike = alike_growth(cols, sum, [&](std::size_t c) { return row[c] * row[c]; }) / 12.0;
      for (std::size_t c = 0; c < cols; ++c) {
        y[r * cols + c] = row[c] / root * w[c];
        const bool is_subnormal = std::fabs(row[c]) < 0x1p-126 || std::fabs(w[c]) < 0x1p-126;
        scale[r * cols + c] =
            std::fabs(y[r * cols + c]) * (1.0 + alike + (is_subnormal ? 0x1p24 / 6.0 : 0.0));
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
