#include "reference_ops/embedding/reference.hpp"

#include <algorithm>

namespace kgen::reference_ops {

/// table [rows, width], ids [n] -> y [n, width].
Status embedding(const ReferenceCall& call) {
  const auto table = call.inputs.at("table"), ids = call.inputs.at("ids");
  const auto y = call.expected.at("y");
  const auto width = static_cast<std::size_t>(call.task->dims.at("width"));
  parallel_for(call.task->dims.at("n"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const auto row = table.subspan(static_cast<std::size_t>(ids[i]) * width, width);
      std::copy(row.begin(), row.end(), y.subspan(i * width).begin());
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
