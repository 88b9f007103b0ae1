#include "reference_ops/transpose/reference.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> y [cols, rows].
Status transpose(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto rows = static_cast<std::size_t>(call.task->dims.at("rows")),
             cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      for (std::size_t c = 0; c < cols; ++c) y[c * rows + r] = x[r * cols + c];
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
