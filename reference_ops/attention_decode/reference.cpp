#include "reference_ops/attention_decode/reference.hpp"

#include <cmath>

#include "reference_ops/attend.hpp"

namespace kgen::reference_ops {

Status attention_decode(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return static_cast<std::size_t>(call.task->dims.at(name)); };
  const std::size_t heads = dim("Hq"), room = dim("S"), width = dim("D"), group = heads / dim("Hkv");
  const auto q = call.inputs.at("q"), k = call.inputs.at("k"), v = call.inputs.at("v"),
             last = call.inputs.at("last");
  const auto o = call.expected.at("o"), scale = call.scale.at("o");
  parallel_for(
      static_cast<std::int64_t>(last.size() * heads), call.threads,
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> weights(room), roundings(room);
        for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
          const std::size_t visible = static_cast<std::size_t>(last[row / heads]) + 1, own = row * width;
          const std::size_t shared =
              row / group * room * width;  // heads of k and v follow each other as those of q do
          attend({q.subspan(own, width), k.subspan(shared, visible * width),
                  v.subspan(shared, visible * width), o.subspan(own, width), scale.subspan(own, width),
                  1.0 / std::sqrt(static_cast<double>(width)), WeightRounding(call.task->dtype), weights,
                  roundings});
        }
      });
  return {};
}

}  // namespace kgen::reference_ops
