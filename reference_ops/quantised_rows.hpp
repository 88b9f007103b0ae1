#pragma once

#include <cmath>

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> q [rows, cols] before its rounding, s [rows], in fp64, where the largest of a row
/// becomes `largest_code`; scale of q: q, more where s is subnormal in f32 and errs by 2^-150 and not in
/// proportion, and where x is subnormal and may be flushed.
inline Status quantised_rows(const ReferenceCall& call, double largest_code) {
  const auto x = call.inputs.at("x");
  const auto q = call.expected.at("q"), s = call.expected.at("s"), scale = call.scale.at("q");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double largest = 0;
      for (std::size_t c = 0; c < cols; ++c) largest = std::fmax(largest, std::fabs(x[r * cols + c]));
      s[r] = largest / largest_code;
      for (std::size_t i = r * cols; i < (r + 1) * cols; ++i) {
        q[i] = largest > 0 ? x[i] * largest_code / largest : 0.0;
        scale[i] = largest > 0 ? std::fabs(q[i]) * (1.0 + 0x1p-128 / s[r]) : 0.0;
        if (std::fabs(x[i]) < 0x1p-126) scale[i] += std::fabs(q[i]) * 0x1p22;  // 4 u of it are all of q
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
