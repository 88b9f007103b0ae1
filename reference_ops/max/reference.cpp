#include "reference_ops/max/reference.hpp"

#include <limits>

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows].
Status max(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double largest = -std::numeric_limits<double>::infinity();
      for (const double value : x.subspan(r * cols, cols)) {
        if (value > largest || value != value) largest = value;  // NaN, once met, stays
      }
      y[r] = largest;
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
