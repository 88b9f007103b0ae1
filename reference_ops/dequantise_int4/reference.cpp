#include "reference_ops/dequantise_int4/reference.hpp"

#include <cmath>
#include <cstdint>

namespace kgen::reference_ops {

/// q [rows, cols / 8] of packed values, s [rows, cols / group] -> y [rows, cols] in fp64; scale = (q + 8)
/// |s|.
Status dequantise_int4(const ReferenceCall& call) {
  const auto q = call.inputs.at("q");
  const auto s = call.inputs.at("s");
  const auto y = call.expected.at("y");
  const auto scale = call.scale.at("y");
  const auto group = static_cast<std::size_t>(call.task->attributes.at("group"));
  parallel_for(static_cast<std::int64_t>(y.size()), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const double value = static_cast<double>(static_cast<std::uint32_t>(q[i / 8]) >> (4 * (i % 8)) & 15U);
      y[i] = (value - 8.0) * s[i / group];
      scale[i] = (value + 8.0) * std::fabs(s[i / group]);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
