#include "reference_ops/attention/reference.hpp"

#include <algorithm>
#include <cmath>

#include "reference_ops/attend.hpp"

namespace kgen::reference_ops {

Status attention(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return call.task->dims.at(name); };
  const std::int64_t heads = dim("Hq"), queries = dim("S"), keys = dim("Skv"), width = dim("D");
  const std::int64_t group = heads / dim("Hkv");
  const bool causal = call.task->attributes.at("causal") != 0;
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    return std::pair{static_cast<std::size_t>(first * width), static_cast<std::size_t>(count * width)};
  };
  parallel_for(dim("B") * heads * queries, call.threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> weights(static_cast<std::size_t>(keys)), roundings(weights.size());
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t i = r % queries, head = r / queries;
      const std::int64_t visible = causal ? std::clamp<std::int64_t>(i + 1 + keys - queries, 0, keys) : keys;
      const auto [own, one] = rows(r, 1);
      const auto [shared, seen] = rows(head / group * keys, visible);
      attend({call.inputs.at("q").subspan(own, one), call.inputs.at("k").subspan(shared, seen),
              call.inputs.at("v").subspan(shared, seen), call.expected.at("o").subspan(own, one),
              call.scale.at("o").subspan(own, one), 1.0 / std::sqrt(static_cast<double>(width)),
              WeightRounding(call.task->dtype), weights, roundings});
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
