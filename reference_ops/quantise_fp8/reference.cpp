#include "reference_ops/quantise_fp8/reference.hpp"

#include <cmath>

namespace kgen::reference_ops {

/// x [rows, cols] -> q [rows, cols] before its rounding, s [rows], in fp64.
Status quantise_fp8(const ReferenceCall& call) {
  constexpr double kLargest = 448.0;  // of f8e4m3 (OCP 8-bit Floating Point Specification, rev. 1.0)
  const auto x = call.inputs.at("x");
  const auto q = call.expected.at("q"), s = call.expected.at("s");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double largest = 0;
      for (std::size_t c = 0; c < cols; ++c) largest = std::fmax(largest, std::fabs(x[r * cols + c]));
      s[r] = largest / kLargest;
      for (std::size_t c = 0; c < cols; ++c)
        q[r * cols + c] = largest > 0 ? x[r * cols + c] * kLargest / largest : 0.0;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
