#include "reference_ops/moe_unpermute/reference.hpp"

#include <algorithm>

#include "reference_ops/moe_places.hpp"

namespace kgen::reference_ops {

Status moe_unpermute(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), chosen = call.inputs.at("chosen");
  const auto y = call.expected.at("y");
  const auto width = static_cast<std::size_t>(call.task->dims.at("width"));
  const ExpertOrder order = order_by_expert(chosen, static_cast<std::size_t>(call.task->dims.at("experts")));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto row = x.subspan(order.places[i] * width, width);
    std::copy(row.begin(), row.end(), y.subspan(i * width, width).begin());
  }
  return {};
}

}  // namespace kgen::reference_ops
