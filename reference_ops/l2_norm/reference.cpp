#include "reference_ops/l2_norm/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows, cols] in fp64.
Status l2_norm(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double eps = call.task->attributes.at("eps");
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double sum = 0;
      for (const double value : x.subspan(r * cols, cols)) sum += value * value;
      const double norm = std::fmax(std::sqrt(sum), eps);
      for (std::size_t c = 0; c < cols; ++c) y[r * cols + c] = x[r * cols + c] / norm;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
