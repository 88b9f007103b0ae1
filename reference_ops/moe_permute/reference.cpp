#include "reference_ops/moe_permute/reference.hpp"

#include <algorithm>

#include "reference_ops/moe_places.hpp"

namespace kgen::reference_ops {

Status moe_permute(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), chosen = call.inputs.at("chosen");
  const auto y = call.expected.at("y"), slots = call.expected.at("slots"), ends = call.expected.at("ends");
  const auto width = static_cast<std::size_t>(call.task->dims.at("width"));
  const auto k = static_cast<std::size_t>(call.task->attributes.at("k"));
  const ExpertOrder order = order_by_expert(chosen, ends.size());
  std::transform(order.ends.begin(), order.ends.end(), ends.begin(),
                 [](std::size_t end) { return static_cast<double>(end); });
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    slots[i] = static_cast<double>(order.places[i]);
    const auto row = x.subspan(i / k * width, width);
    std::copy(row.begin(), row.end(), y.subspan(order.places[i] * width, width).begin());
  }
  return {};
}

}  // namespace kgen::reference_ops
