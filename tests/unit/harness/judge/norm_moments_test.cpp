// What the distributions of a norm show of its moments, in rows longer than a block holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/task.hpp"
#include "harness/judge/host_kernels.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/rules.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

constexpr std::size_t kLanes = 256;

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
  const float mean = sum_of(sums) / static_cast<float>(row.size());
  return {mean, std::fma(-mean, mean, sum_of(squares) / static_cast<float>(row.size()))};
}

Moments two_passes(std::span<const double> row) {
  std::array<float, kLanes> sums{}, squares{};
  for (std::size_t i = 0; i < row.size(); ++i) sums[i % kLanes] += static_cast<float>(row[i]);
  const float mean = sum_of(sums) / static_cast<float>(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float deviation = static_cast<float>(row[i]) - mean;
    squares[i % kLanes] = std::fma(deviation, deviation, squares[i % kLanes]);
  }
  return {mean, sum_of(squares) / static_cast<float>(row.size())};
}

/// Welford's, by one thread.
Moments updated(std::span<const double> row) {
  Moments moments;
  float squares = 0, count = 0;
  for (const double value : row) {
    const float delta = static_cast<float>(value) - moments.mean;
    moments.mean += delta / ++count;
    squares += delta * (static_cast<float>(value) - moments.mean);
  }
  moments.variance = squares / count;
  return moments;
}

struct Rows {
  const char* dtype;
  std::int64_t count, length;
};

/// How many rows of layer_norm are rejected where their moments are these. In f32 and f16.
std::int64_t rejected_of(const Rows& rows, const std::string& name,
                         Moments (*moments_of)(std::span<const double>)) {
  const auto op = reference_ops::find_builtin_op("layer_norm").value();
  const auto task =
      core::make_task(op, rows.dtype, {{"rows", rows.count}, {"cols", rows.length}}, {}).value();
  const auto tensors = core::tensors_of(task).value();
  const auto distribution = std::ranges::find(op->distributions, name, &core::Distribution::name);
  if (distribution == op->distributions.end()) throw std::runtime_error("no distribution " + name);
  const InputCase input{&*distribution, 5};
  std::vector<std::vector<double>> values;
  for (std::size_t i = 0; i + 1 < tensors.size(); ++i) values.push_back(input_on_host(tensors[i], i, input));
  const auto expected = expected_on_host(task, tensors, input).value();
  const auto tolerance = tolerance_params(task, tensors.back(), *distribution).value();
  const auto eps = static_cast<float>(task.attributes.at("eps"));
  const auto length = static_cast<std::size_t>(rows.length);
  std::int64_t rejected = 0;
  for (std::size_t first = 0; first < values[0].size(); first += length) {
    const auto row = std::span(values[0]).subspan(first, length);
    const Moments moments = moments_of(row);
    const float factor = 1 / std::sqrt(moments.variance + eps);
    std::vector<float> y(length);
    for (std::size_t c = 0; c < length; ++c)
      y[c] = std::fma((static_cast<float>(row[c]) - moments.mean) * factor, static_cast<float>(values[1][c]),
                      static_cast<float>(values[2][c]));
    std::vector<_Float16> halves(y.begin(), y.end());
    const auto* const got = tolerance.dtype == kF16 ? reinterpret_cast<const std::byte*>(halves.data())
                                                    : reinterpret_cast<const std::byte*>(y.data());
    const auto part = [&](const std::vector<double>& all) { return std::span(all).subspan(first, length); };
    rejected += compare_on_host(got, part(expected[0].values), part(expected[0].scale), tolerance).wrong > 0;
  }
  return rejected;
}

// What such a row grants its sums hides what far_offset and nearly_equal show of shorter ones.
TEST(NormMoments, OnePassOverALongRowIsRejected) {
  for (const char* dtype : {"f32", "f16"})
    EXPECT_GE(rejected_of({dtype, 16, 149'000}, "farther_offset", one_pass), 5) << dtype;
}

TEST(NormMoments, TwoPassesAreNot) {
  for (const char* distribution : {"far_offset", "farther_offset", "nearly_equal"})
    EXPECT_EQ(rejected_of({"f32", 16, 149'000}, distribution, two_passes), 0) << distribution;
}

// Of few values, as f16 has them far from 0, each step of an update errs alike; most in rows of some
// thousands.
TEST(NormMoments, UpdatesAreNot) {
  for (const char* dtype : {"f32", "f16"}) {
    for (const std::int64_t length : {700, 1500, 3000, 4096})
      for (const char* distribution : {"far_offset", "farther_offset"})
        EXPECT_EQ(rejected_of({dtype, 200, length}, distribution, updated), 0)
            << dtype << " " << length << " " << distribution;
  }
}

}  // namespace
}  // namespace kgen::judge
