#include "reference_ops/sum/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows] in fp64; scale = sum of |x|.
Status sum(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double sum = 0, magnitude = 0;
      for (const double value : x.subspan(r * cols, cols)) sum += value, magnitude += std::fabs(value);
      y[r] = sum;
      scale[r] = magnitude;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
