#include "reference_ops/matmul_bias_act/reference.hpp"

#include <algorithm>
#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {
namespace {

enum Activation { none, relu, gelu };

double activated(double v, int act) {
  if (act == relu) return v > 0 || std::isnan(v) ? v : 0.0;
  if (act == gelu) return v * 0.5 * std::erfc(-v / std::sqrt(2.0));  // erfc keeps what 1 + erf cancels
  return v;
}

/// Error of act(v) in roundings of f32 where v errs by `inner` of them: GELU rises by 1.13 at most and errs
/// by 10 |v| itself.
double activation_error(double v, double inner, int act) {
  if (act == relu && v + inner * core::unit_roundoff(core::DType::f32) < 0) return 0.0;
  return act == gelu ? 1.13 * inner + 10.0 * std::fabs(v) : inner;
}

}  // namespace

/// x [M, K], w [N, K], b [N] -> y [M, N] in fp64; scale = its error in roundings of f32
/// (docs/verification.md, "Products with an epilogue").
Status matmul_bias_act(const ReferenceCall& call) {
  const auto x = call.inputs.at("x"), w = call.inputs.at("w"), b = call.inputs.at("b");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const auto inner = static_cast<std::size_t>(call.task->dims.at("K")), columns = b.size();
  const int act = static_cast<int>(call.task->attributes.at("act"));
  const bool cuts_off = call.task->dtype != core::DType::f32;  // tensor cores
  const double count = static_cast<double>(inner);
  parallel_for(call.task->dims.at("M"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m) {
      for (std::size_t n = 0; n < columns; ++n) {
        double sum = 0, magnitude = 0;
        for (std::size_t k = 0; k < inner; ++k) {
          const double product = x[m * inner + k] * w[n * inner + k];
          sum += product;
          magnitude += std::fabs(product);
        }
        const double v = sum + b[n], terms = magnitude + std::fabs(b[n]);
        const double error = (sum_growth(count + 1) + 1.0) * terms +
                             (cuts_off ? std::ceil(count / 8.0) * std::fabs(sum) : 0.0);
        y[m * columns + n] = activated(v, act);
        scale[m * columns + n] = activation_error(v, error, act);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
