#include "reference_ops/sort_rows/reference.hpp"

#include <algorithm>

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows, cols].
Status sort_rows(const ReferenceCall& call) {
  const auto y = call.expected.at("y");
  const auto x = call.inputs.at("x");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto from = x.subspan(r * cols, cols);
      const auto to = y.subspan(r * cols, cols);
      std::copy(from.begin(), from.end(), to.begin());
      std::sort(to.begin(), to.end());
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
