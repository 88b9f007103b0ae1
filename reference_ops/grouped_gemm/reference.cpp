#include "reference_ops/grouped_gemm/reference.hpp"

#include "reference_ops/product_sum.hpp"

namespace kgen::reference_ops {

Status grouped_gemm(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return static_cast<std::size_t>(call.task->dims.at(name)); };
  const auto x = call.inputs.at("x"), w = call.inputs.at("w"), ends = call.inputs.at("ends");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const std::size_t columns = dim("N"), inner = dim("K");
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
      const auto weights = w.subspan(group_of(ends, row) * columns * inner, columns * inner);
      for (std::size_t n = 0; n < columns; ++n) {
        const auto [sum, magnitude] =
            product_sum(x.subspan(row * inner, inner), weights.subspan(n * inner, inner));
        y[row * columns + n] = sum;
        scale[row * columns + n] = magnitude;
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
