#include "reference_ops/norm_about_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "part_of_references.hpp"

namespace kgen::reference_ops {
namespace {

constexpr double kUnit = 0x1p-24;  ///< one rounding of f32, relative

struct Moments {
  double mean = 0, variance = 0;
};

Moments exactly(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Moments out{std::accumulate(values.begin(), values.end(), 0.0) / count, 0};
  for (const double value : values) out.variance += (value - out.mean) * (value - out.mean) / count;
  return out;
}

/// By Welford's updating in f32, as one thread does it.
Moments updated(const std::vector<double>& values) {
  float mean = 0, squares = 0, count = 0;
  for (const double value : values) {
    const float one = static_cast<float>(value), before = one - mean;
    count += 1;
    mean += before / count;
    squares = std::fma(before, one - mean, squares);
  }
  return {mean, squares / count};
}

/// In roundings of f32, relative to the variance.
struct VarianceLoss {
  double error;               ///< of updating in f32
  double granted;             ///< with what alike_losses says
  double granted_about_last;  ///< with what terms about the last mean lose alone
};

VarianceLoss loss_of_updated_variance(const std::vector<double>& values) {
  const Moments exact = exactly(values);
  const auto count = static_cast<double>(values.size());
  const double deviations = exact.variance * count;
  const double condition = std::sqrt(1 + exact.mean * exact.mean / exact.variance);
  const double growth = (sum_growth(count) + 6) * condition;
  const double about_last = alike_growth(values.size(), deviations, [&](std::size_t i) {
    return (values[i] - exact.mean) * (values[i] - exact.mean);
  });
  const double error = std::fabs(updated(values).variance / exact.variance - 1) / kUnit;
  return {error, growth + alike_losses(values, exact.mean, deviations).deviations, growth + about_last};
}

/// What the last places of a bf16 at 1000 leave of a deviation of 2: multiples of 4.
std::vector<double> few_values(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(1000, 2);
  std::vector<double> out(count);
  for (double& value : out) value = 4 * std::nearbyint(normal(generator) / 4);
  return out;
}

std::vector<double> mostly_zeros(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> out(count);
  for (double& value : out) {
    const float drawn = static_cast<float>(normal(generator));
    value = generator() % 10 == 0 ? drawn : 0;
  }
  return out;
}

/// Of all sizes from 2^-55 to 1, of both signs.
std::vector<double> of_all_sizes(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> exponent(-55, 0);
  std::vector<double> out(count);
  for (double& value : out) {
    const double size = std::exp2(exponent(generator));
    value = static_cast<float>(generator() % 2 == 0 ? size : -size);
  }
  return out;
}

// Its steps are below half a spacing, of one sign for long, and all lost.
TEST(AlikeLosses, HoldTheMeanThatStandsStill) {
  int needed = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto values = few_values(8192, seed);
    const Moments exact = exactly(values);
    const double error = std::fabs(updated(values).mean - exact.mean);
    const double plain = (sum_growth(8192) + 2) * kUnit * exact.mean;
    const double lost = alike_losses(values, exact.mean, exact.variance * 8192).mean;
    EXPECT_LE(error, plain + lost) << seed;
    needed += error > plain ? 1 : 0;
  }
  EXPECT_GT(needed, 0);
}

// Zeros are farther from the running means than from the last one.
TEST(AlikeLosses, HoldWhatUpdatingAddsUpOfZeros) {
  int needed = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto values = mostly_zeros(20011, seed);
    const VarianceLoss loss = loss_of_updated_variance(values);
    EXPECT_LE(loss.error, loss.granted) << seed;
    needed += loss.error > loss.granted_about_last ? 1 : 0;
  }
  EXPECT_GT(needed, 0);
}

// Behind the largest values the terms fall slowly, from above a spacing to below half of one, and
// round alike.
TEST(AlikeLosses, HoldWhatUpdatingLosesInItsOrder) {
  for (const unsigned seed : {1326U, 2752U}) {  // of 3000 those of which the other losses do not hold it
    const auto values = of_all_sizes(8192, seed);
    const VarianceLoss loss = loss_of_updated_variance(values);
    EXPECT_GT(loss.error, loss.granted_about_last) << seed;
    EXPECT_LE(loss.error, loss.granted) << seed;
  }
}

// The hot value's steps are many spacings: their roundings are forgotten, and nothing is granted for them.
TEST(AlikeLosses, GrantAMeanNothingForStepsThatMoveIt) {
  for (const std::size_t count : {2049U, 20011U, 65536U}) {
    std::vector<double> values(count, 0.03125);
    values[0] = 512;
    const Moments exact = exactly(values);
    EXPECT_EQ(alike_losses(values, exact.mean, exact.variance * static_cast<double>(count)).mean, 0) << count;
  }
}

TEST(AlikeLosses, AreNothingOfEqualValuesAndOfRowsBeyondOneLoop) {
  EXPECT_EQ(alike_losses(std::vector<double>(4096, 0.1f), 0.1f, 0).mean, 0);
  const auto values = few_values(kLongestPlainSum + 1, 1);
  const Moments exact = exactly(values);
  EXPECT_EQ(alike_losses(values, exact.mean, exact.variance * static_cast<double>(values.size())).mean, 0);
}

// Each reference.cu is a file of its own, and this is the same in each.
TEST(AlikeLosses, AreTheSameInEveryReferenceThatGrantsThem) {
  const auto parts = part_of_references(KGEN_SOURCE_DIR, {"layer_norm", "group_norm", "mean_variance"},
                                        "struct AlikeLosses", "__global__");
  EXPECT_EQ(parts.size(), 1U);
  EXPECT_FALSE(parts.contains(""));
}

}  // namespace
}  // namespace kgen::reference_ops
