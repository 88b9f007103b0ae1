#include "reference_ops/grouped_swiglu/reference.hpp"

#include <cmath>

#include "reference_ops/product_sum.hpp"
#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {
namespace {

constexpr double kRounding = 0x1p-24;  ///< of f32

/// A product and its error in roundings of f32, as matmul has it.
struct Factor {
  double value, error;
};

Factor factor_of(std::span<const double> x, std::span<const double> w, bool cuts_off) {
  const auto count = static_cast<double>(x.size());
  const auto [sum, magnitude] = product_sum(x, w);
  return {sum,
          (sum_growth(count) + 1.0) * magnitude + (cuts_off ? std::ceil(count / 8.0) * std::fabs(sum) : 0.0)};
}

/// silu(g) u and its error: silu changes by its slope and, its curvature being 1/2 at most, a quarter of the
/// square; then both factors' errors, their product, and what silu and the product round (`swiglu`: 10 of y
/// (1 + |g|)).
Factor swiglu_of(const Factor& gate, const Factor& up) {
  const double share = 1.0 / (1.0 + std::exp(-gate.value)), silu = gate.value * share;
  const double slope = std::fabs(share * (1.0 + gate.value * (1.0 - share)));
  const double silu_error = (slope + 0.25 * gate.error * kRounding) * gate.error;
  const double y = silu * up.value;
  return {y, silu_error * (std::fabs(up.value) + up.error * kRounding) + std::fabs(silu) * up.error +
                 10.0 * std::fabs(y) * (1.0 + std::fabs(gate.value))};
}

}  // namespace

Status grouped_swiglu(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return static_cast<std::size_t>(call.task->dims.at(name)); };
  const auto x = call.inputs.at("x"), gate = call.inputs.at("gate"), up = call.inputs.at("up"),
             ends = call.inputs.at("ends");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const std::size_t columns = dim("N"), inner = dim("K");
  const bool cuts_off = call.task->dtype != core::DType::f32;  // tensor cores
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row) {
      const std::size_t first = group_of(ends, row) * columns * inner;
      const auto own = x.subspan(row * inner, inner);
      for (std::size_t n = 0; n < columns; ++n) {
        const std::size_t at = first + n * inner;
        const Factor result = swiglu_of(factor_of(own, gate.subspan(at, inner), cuts_off),
                                        factor_of(own, up.subspan(at, inner), cuts_off));
        y[row * columns + n] = result.value;
        scale[row * columns + n] = result.error;
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
