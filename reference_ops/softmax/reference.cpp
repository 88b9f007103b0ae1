#include "reference_ops/softmax/reference.hpp"

#include <cmath>
#include <limits>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows, cols] in fp64; scale = y (1 + |x - max|), the condition of exp at x - max,
/// and a sixth of what the sum errs by because of terms that round alike: the scale counts in six steps.
Status softmax(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double largest = -std::numeric_limits<double>::infinity();
      for (const double value : row) largest = std::fmax(largest, value);
      double sum = 0;
      const auto weights = y.subspan(r * cols, cols);
      for (std::size_t c = 0; c < cols; ++c) sum += weights[c] = std::exp(row[c] - largest);
      const double alike = alike_growth(cols, sum, [&](std::size_t c) { return weights[c]; }) / 6.0;
      for (std::size_t c = 0; c < cols; ++c) {
        const double shifted = row[c] - largest;
        const double value = weights[c] / sum;
        y[r * cols + c] = value;
        scale[r * cols + c] = value * (1.0 + alike + (std::isfinite(shifted) ? std::fabs(shifted) : 0.0));
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
