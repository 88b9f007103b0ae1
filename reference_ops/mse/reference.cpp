#include "reference_ops/mse/reference.hpp"

namespace kgen::reference_ops {

/// x, target [rows, cols] -> loss [rows] in fp64.
Status mse(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), target = call.inputs.at("target");
  const auto loss = call.expected.at("loss");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      double sum = 0;
      for (std::size_t i = r * cols; i < (r + 1) * cols; ++i) sum += (x[i] - target[i]) * (x[i] - target[i]);
      loss[r] = sum / static_cast<double>(cols);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
