#include "reference_ops/l2_norm/reference.hpp"

#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows, cols] in fp64. Scale: as rms_norm's.
Status l2_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double eps = call.task->attributes.at("eps");
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double sum = 0;
      for (const double value : row) sum += value * value;
      const double norm = std::fmax(std::sqrt(sum), eps);
      const double alike = alike_growth(cols, sum, [&](std::size_t c) { return row[c] * row[c]; }) / 12.0;
      for (std::size_t c = 0; c < cols; ++c) {
        y[r * cols + c] = row[c] / norm;
        scale[r * cols + c] = std::fabs(y[r * cols + c]) * (1.0 + alike);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
