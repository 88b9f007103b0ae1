#include "reference_ops/mean_variance/reference.hpp"

#include <cmath>

#include "reference_ops/norm_about_mean.hpp"

namespace kgen::reference_ops {

/// x [rows, cols] -> mean, variance [rows] in fp64. Scale of the mean: mean of |x|, and what an updated one
/// loses in steps that round alike. Of the variance: itself times sqrt(E[x^2] / variance), the condition of
/// updating algorithms (Chan, Golub, LeVeque, Algorithms for Computing the Sample Variance, The American
/// Statistician 37(3), 1983), what its sum errs by because of terms that round alike, and the square of the
/// mean's own error.
Status mean_variance(const ReferenceCall& call) {
  const auto x = call.inputs.at("x");
  const auto mean = call.expected.at("mean");
  const auto variance = call.expected.at("variance");
  const auto mean_scale = call.scale.at("mean");
  const auto variance_scale = call.scale.at("variance");
  const auto cols = static_cast<std::size_t>(call.task->dims.at("cols"));
  const double count = static_cast<double>(cols), growth = sum_growth(count);
  const double kRounding = core::unit_roundoff(core::DType::f32);
  parallel_for(call.task->dims.at("rows"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
      const auto row = x.subspan(r * cols, cols);
      double sum = 0, magnitude = 0, squares = 0, deviations = 0;
      for (const double value : row) sum += value, magnitude += std::fabs(value), squares += value * value;
      mean[r] = sum / count;
      for (const double value : row) deviations += (value - mean[r]) * (value - mean[r]);
      variance[r] = deviations / count;
      const AlikeLosses alike = alike_losses(row, mean[r], deviations);
      // What is in roundings of f32 is divided by as many as the scales count.
      mean_scale[r] = magnitude / count + alike.mean / kRounding / (growth + 2.0);
      const double mean_error = (growth + 2.0) * mean_scale[r];
      variance_scale[r] =
          std::sqrt(variance[r] * (squares / count)) +
          (alike.deviations * variance[r] + kRounding * mean_error * mean_error) / (growth + 6.0);
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
