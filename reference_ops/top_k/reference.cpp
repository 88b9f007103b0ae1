#include "reference_ops/top_k/reference.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace kgen::reference_ops {

/// x [rows, cols] -> values, places [rows, k].
Status top_k(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto values = call.expected.at("values"), places = call.expected.at("places");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols")),
             k = static_cast<std::size_t>(call.task->attributes.at("k"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::size_t> order(cols);
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
      for (std::size_t i = 0; i < k; ++i) {
        values[r * k + i] = row[order[i]];
        places[r * k + i] = static_cast<double>(order[i]);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
