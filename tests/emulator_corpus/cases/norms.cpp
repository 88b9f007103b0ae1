#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <span>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

struct Statistics {
  double mean = 0, variance = 0, mean_square = 0;
};

/// Of count elements, `stride` apart.
template <class T>
Statistics statistics_of(const T* x, std::size_t count, std::size_t stride = 1) {
  Statistics out;
  const double n = static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) out.mean += number_of(x[i * stride]) / n;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = number_of(x[i * stride]);
    out.variance += (value - out.mean) * (value - out.mean) / n;
    out.mean_square += value * value / n;
  }
  return out;
}

Case layer_norm() {
  const std::size_t rows = 5, cols = 300;
  const auto x = reals(rows * cols, 1, -3, 5), gamma = reals(cols, 2), beta = reals(cols, 3);
  std::vector<float> want(rows * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    const Statistics s = statistics_of(&x[r * cols], cols);
    for (std::size_t c = 0; c < cols; ++c) {
      const double hat = (static_cast<double>(x[r * cols + c]) - s.mean) / std::sqrt(s.variance + 1e-5);
      want[r * cols + c] = static_cast<float>(hat * number_of(gamma[c]) + number_of(beta[c]));
    }
  }
  return {"layer_norm",
          "norms",
          {input("x", x), input("gamma", gamma), input("beta", beta), output("y", want, {2e-6, 1e-5})},
          {{"layer_norm", {rows}, {128}, {"x", "gamma", "beta", "y", static_cast<int>(cols), 1e-5f}}}};
}

Case welford_norm() {
  const std::size_t rows = 7, cols = 77;
  const auto x = reals(rows * cols, 4, 100, 101);
  std::vector<float> want(rows * cols), means(rows), variances(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const Statistics s = statistics_of(&x[r * cols], cols);
    means[r] = static_cast<float>(s.mean);
    variances[r] = static_cast<float>(s.variance);
    for (std::size_t c = 0; c < cols; ++c)
      want[r * cols + c] =
          static_cast<float>((number_of(x[r * cols + c]) - s.mean) / std::sqrt(s.variance + 1e-5));
  }
  return {"welford_norm",
          "norms",
          {input("x", x), output("y", want, {2e-4, 1e-4}), output("mean", means, {0, 1e-6}),
           output("variance", variances, {0, 1e-4})},
          {{"welford_norm", {2}, {32, 4}, {"x", "y", "mean", "variance", int{rows}, int{cols}}}}};
}

Case rms_norm_bf16() {
  const std::size_t rows = 3, cols = 8 * 96;
  const auto x = converted<__nv_bfloat16>(reals(rows * cols, 5, -2, 2));
  const auto weight = converted<__nv_bfloat16>(reals(cols, 6, 0.5f, 1.5f));
  std::vector<__nv_bfloat16> want(rows * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    const double scale = 1 / std::sqrt(statistics_of(&x[r * cols], cols).mean_square + 1e-6);
    for (std::size_t c = 0; c < cols; ++c)
      want[r * cols + c] = number_of(x[r * cols + c]) * scale * number_of(weight[c]);
  }
  return {"rms_norm_bf16",
          "norms",
          {input("x", x), input("weight", weight), output("y", want, {0, 0x1p-7})},
          {{"rms_norm_bf16", {rows}, {96}, {"x", "weight", "y"}}}};
}

Case group_norm() {
  const std::size_t batch = 2, groups = 4, channels_a_group = 3, inner = 35,
                    members = channels_a_group * inner;
  const auto x = reals(batch * groups * members, 7), gamma = reals(groups * channels_a_group, 8);
  std::vector<float> want(x.size());
  for (std::size_t g = 0; g < batch * groups; ++g) {
    const Statistics s = statistics_of(&x[g * members], members);
    for (std::size_t i = 0; i < members; ++i) {
      const double hat = (number_of(x[g * members + i]) - s.mean) / std::sqrt(s.variance + 1e-5);
      want[g * members + i] = static_cast<float>(hat * number_of(gamma[(g % groups * members + i) / inner]));
    }
  }
  return {"group_norm",
          "norms",
          {input("x", x), input("gamma", gamma), output("y", want, {2e-6, 2e-5})},
          {{"group_norm", {groups, batch}, {64}, {"x", "gamma", "y", int{members}, int{inner}}}}};
}

Case l2_normalize() {
  const std::size_t rows = 8, cols = 50;
  const auto x = converted<__half>(reals(rows * cols, 9, -4, 4));
  std::vector<__half> want(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Statistics s = statistics_of(&x[i / cols * cols], cols);
    want[i] = number_of(x[i]) / std::sqrt(s.mean_square * static_cast<double>(cols));
  }
  return {"l2_normalize",
          "norms",
          {input("x", x), output("y", want, {0, 0x1p-10})},
          {{"l2_normalize", {2}, {32, 4}, {"x", "y", int{cols}}}}};
}

Case layer_norm_backward() {
  const std::size_t rows = 4, cols = 200;
  const auto dy = reals(rows * cols, 10), x = reals(rows * cols, 11);
  std::vector<float> mean(rows), rstd(rows), want(rows * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    const Statistics s = statistics_of(&x[r * cols], cols);
    mean[r] = static_cast<float>(s.mean);
    rstd[r] = static_cast<float>(1 / std::sqrt(s.variance + 1e-5));
    const auto hat = [&](std::size_t c) {
      return (number_of(x[r * cols + c]) - number_of(mean[r])) * number_of(rstd[r]);
    };
    double a = 0, b = 0;
    for (std::size_t c = 0; c < cols; ++c) {
      a += number_of(dy[r * cols + c]) / static_cast<double>(cols);
      b += number_of(dy[r * cols + c]) * hat(c) / static_cast<double>(cols);
    }
    for (std::size_t c = 0; c < cols; ++c)
      want[r * cols + c] =
          static_cast<float>((number_of(dy[r * cols + c]) - a - hat(c) * b) * number_of(rstd[r]));
  }
  return {"layer_norm_backward",
          "norms",
          {input("dy", dy), input("x", x), input("mean", mean), input("rstd", rstd),
           output("dx", want, {5e-6, 1e-5})},
          {{"layer_norm_backward", {rows}, {64}, {"dy", "x", "mean", "rstd", "dx", int{cols}}}}};
}

Case batch_norm_statistics() {
  const std::size_t rows = 61, channels = 45;
  const auto x = reals(rows * channels, 12);
  std::vector<float> means, variances;
  for (std::size_t c = 0; c < channels; ++c) {
    const Statistics s = statistics_of(&x[c], rows, channels);
    means.push_back(static_cast<float>(s.mean));
    variances.push_back(static_cast<float>(s.variance));
  }
  return {"batch_norm_statistics",
          "norms",
          {input("x", x), output("mean", means, {1e-6, 0}), output("variance", variances, {1e-6, 0})},
          {{"batch_norm_statistics", {2}, {32, 8}, {"x", "mean", "variance", int{rows}, int{channels}}}}};
}

}  // namespace

std::vector<Case> norm_cases() {
  return {layer_norm(),   welford_norm(),        rms_norm_bf16(),        group_norm(),
          l2_normalize(), layer_norm_backward(), batch_norm_statistics()};
}

}  // namespace kgen::corpus
