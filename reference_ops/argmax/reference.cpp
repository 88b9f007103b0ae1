#include "reference_ops/argmax/reference.hpp"

#include <algorithm>

namespace kgen::reference_ops {

/// x [rows, cols] -> y [rows], the first place of the largest.
Status argmax(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto y = call.expected.at("y");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      y[r] = static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin());
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
