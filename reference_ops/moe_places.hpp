#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kgen::reference_ops {

/// Entries in the order of their experts, those of one expert in their own order.
struct ExpertOrder {
  std::vector<std::size_t> places;  ///< of each entry in that order
  std::vector<std::size_t> ends;    ///< entries of experts up to and with each
};

/// `chosen`: each entry's expert, a whole number below `experts`.
inline ExpertOrder order_by_expert(std::span<const double> chosen, std::size_t experts) {
  ExpertOrder order{std::vector<std::size_t>(chosen.size()), std::vector<std::size_t>(experts, 0)};
  for (const double expert : chosen) ++order.ends[static_cast<std::size_t>(expert)];
  std::vector<std::size_t> next(experts, 0);
  for (std::size_t e = 1; e < experts; ++e) {
    next[e] = order.ends[e - 1];
    order.ends[e] += order.ends[e - 1];
  }
  for (std::size_t i = 0; i < chosen.size(); ++i)
    order.places[i] = next[static_cast<std::size_t>(chosen[i])]++;
  return order;
}

}  // namespace kgen::reference_ops
