// What the distributions of a norm show of its moments, in rows longer than a block holds.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>

#include "core/task.hpp"
#include "harness/judge/host_kernels.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/rules.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

constexpr std::size_t kRows = 16, kCols = 149'000, kLanes = 256;

struct Moments {
  float mean = 0, variance = 0;
};

float sum_of(std::array<float, kLanes> lanes) {
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  return lanes[0];
}

/// E[x^2] - mean^2.
Moments one_pass(std::span<const double> row) {
  std::array<float, kLanes> sums{}, squares{};
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto value = static_cast<float>(row[i]);
    sums[i % kLanes] += value;
    squares[i % kLanes] = std::fma(value, value, squares[i % kLanes]);
  }
  const float mean = sum_of(sums) / kCols;
  return {mean, std::fma(-mean, mean, sum_of(squares) / kCols)};
}

Moments two_passes(std::span<const double> row) {
  std::array<float, kLanes> sums{}, squares{};
  for (std::size_t i = 0; i < row.size(); ++i) sums[i % kLanes] += static_cast<float>(row[i]);
  const float mean = sum_of(sums) / kCols;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float deviation = static_cast<float>(row[i]) - mean;
    squares[i % kLanes] = std::fma(deviation, deviation, squares[i % kLanes]);
  }
  return {mean, sum_of(squares) / kCols};
}

/// Rows of layer_norm that are rejected where their moments are these.
std::size_t rejected_rows(const std::string& distribution, Moments (*moments)(std::span<const double>)) {
  const auto op = reference_ops::find_builtin_op("layer_norm").value();
  const auto task = core::make_task(op, "f32", {{"rows", kRows}, {"cols", kCols}}, {}).value();
  const auto tensors = core::tensors_of(task).value();
  const auto found = std::ranges::find(op->distributions, distribution, &core::Distribution::name);
  const InputCase input{&*found, 5};
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i < tensors.size() - 1; ++i) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensors[i].bytes));
    fill_on_host(bytes.data(), fill_params(*found, tensors[i], i, input.seed), tensors[i].elements);
    values.push_back(decode_on_host(bytes.data(), kF32, tensors[i].elements));
  }
  const auto expected = expected_on_host(task, tensors, input).value();
  const auto tolerance = tolerance_params(task, tensors.back(), *found).value();
  const auto eps = static_cast<float>(task.attributes.at("eps"));
  std::size_t rejected = 0;
  for (std::size_t r = 0; r < kRows; ++r) {
    const auto row = std::span(values[0]).subspan(r * kCols, kCols);
    const Moments found_moments = moments(row);
    const float factor = 1 / std::sqrt(found_moments.variance + eps);
    std::vector<float> y(kCols);
    for (std::size_t c = 0; c < kCols; ++c)
      y[c] = std::fma((static_cast<float>(row[c]) - found_moments.mean) * factor,
                      static_cast<float>(values[1][c]), static_cast<float>(values[2][c]));
    const auto part = [&](const std::vector<double>& all) {
      return std::span(all).subspan(r * kCols, kCols);
    };
    rejected += compare_on_host(reinterpret_cast<const std::byte*>(y.data()), part(expected[0].values),
                                part(expected[0].scale), tolerance)
                    .wrong > 0;
  }
  return rejected;
}

// What such a row grants its sums hides what far_offset and nearly_equal show of shorter ones.
TEST(NormMoments, OnePassOverALongRowIsRejected) {
  EXPECT_GE(rejected_rows("farther_offset", one_pass), kRows / 3);
}

TEST(NormMoments, TwoPassesAreNot) {
  for (const char* distribution : {"far_offset", "farther_offset", "nearly_equal"})
    EXPECT_EQ(rejected_rows(distribution, two_passes), 0) << distribution;
}

}  // namespace
}  // namespace kgen::judge
