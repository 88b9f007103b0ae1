#include "reference_ops/moe_route/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {
namespace {

/// Roundings' worth by which the sum of all weights errs, which kernels add in the experts' order.
double growth_of_all(std::span<const double> row, double largest, double sum) {
  return sum_growth(static_cast<double>(row.size())) +
         alike_growth(row.size(), sum, [&](std::size_t e) { return std::exp(row[e] - largest); });
}

}  // namespace

/// logits [tokens, experts] -> weights, chosen [tokens, k] in fp64; the weights' scale = their error in
/// roundings of f32 (docs/verification.md, "Logarithms of sums").
Status moe_route(const ReferenceCall& call) {
  const auto logits = call.inputs.at("logits");
  const auto weights = call.expected.at("weights"), chosen = call.expected.at("chosen");
  const auto scale = call.scale.at("weights");
  const auto experts = static_cast<std::size_t>(call.task->dims.at("experts"));
  const auto k = static_cast<std::size_t>(call.task->attributes.at("k"));
  const bool renormalise = call.task->attributes.at("renormalise") != 0;
  const std::size_t added = renormalise ? k : experts;  // terms of the sum
  parallel_for(call.task->dims.at("tokens"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::size_t> order(experts);
    for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) {
      const auto row = logits.subspan(t * experts, experts);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
      const double largest = row[order[0]];
      double sum = 0, spread = 0;  // spread: mean of |x - m| under the weights
      for (std::size_t i = 0; i < added; ++i) {
        const double shifted = row[order[i]] - largest, weight = std::exp(shifted);
        sum += weight;
        if (weight > 0) spread += weight * std::fabs(shifted);
      }
      // The sum over all experts drops out of renormalised weights, but for its roundings in each of them.
      const double growth = renormalise ? static_cast<double>(k) : growth_of_all(row, largest, sum);
      const double of_sum = growth + 14.0 + 3.0 * spread / sum + 2.0 * std::log(sum);
      for (std::size_t i = 0; i < k; ++i) {
        const double shifted = row[order[i]] - largest, p = std::exp(shifted) / sum;
        weights[t * k + i] = p;
        chosen[t * k + i] = static_cast<double>(order[i]);
        scale[t * k + i] = p > 0 ? p * (of_sum + 3.0 * std::fabs(shifted)) : 0.0;
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
