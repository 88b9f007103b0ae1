#include "reference_ops/concat/reference.hpp"

#include <algorithm>

namespace kgen::reference_ops {

/// a [rows, left], b [rows, right] -> y [rows, left + right].
Status concat(const ReferenceCall& call) {
  const auto a = call.inputs.at("a"), b = call.inputs.at("b");
  const auto y = call.expected.at("y");
  const auto left = static_cast<std::size_t>(call.task->dims.at("left")),
             right = static_cast<std::size_t>(call.task->dims.at("right"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto from_a = a.subspan(r * left, left), from_b = b.subspan(r * right, right);
      std::copy(from_b.begin(), from_b.end(),
                std::copy(from_a.begin(), from_a.end(), y.subspan(r * (left + right)).begin()));
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
