#include "reference_ops/sum_growth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "part_of_references.hpp"

namespace kgen::reference_ops {
namespace {

double alike_of(const std::vector<double>& terms) {
  const double sum = std::accumulate(terms.begin(), terms.end(), 0.0);
  return alike_growth(terms.size(), sum, [&](std::size_t i) { return terms[i]; });
}

/// How far a plain f32 loop is from the exact sum, in units of the sum's roundoff.
double plain_error(const std::vector<double>& terms) {
  float plain = 0;
  double exact = 0;
  for (const double term : terms) plain += static_cast<float>(term), exact += static_cast<float>(term);
  return std::fabs(plain - exact) / (exact * 0x1p-24);
}

TEST(AlikeGrowth, IsNothingWhereSumsAreExact) {
  EXPECT_EQ(alike_of(std::vector<double>(4096, 0.75)), 0);
  EXPECT_EQ(alike_of({}), 0);
  EXPECT_EQ(alike_of({0, 0, 0}), 0);
}

// Each addition of the same term errs by the same part of the sum's last place.
TEST(AlikeGrowth, HoldsWhatAPlainLoopLosesOfEqualTerms) {
  for (const std::size_t count : {128U, 1023U, 4097U, 65537U}) {
    for (const float term : {0.1f, 0.0794f, 1.7f}) {
      const std::vector<double> terms(count, term);
      const auto length = static_cast<double>(count);
      EXPECT_LE(plain_error(terms), sum_growth(length) + alike_of(terms)) << count << " of " << term;
      EXPECT_LE(sum_growth(length) + alike_of(terms), length);
    }
  }
}

// The sum is 2^18 throughout, and its last place four times a term: each term is lost whole.
TEST(AlikeGrowth, CountsTermsThatAreSwallowed) {
  std::vector<double> terms(2049, 0x1p-8);
  terms[0] = 0x1p18;
  EXPECT_NEAR(plain_error(terms), 512, 1);
  EXPECT_GE(sum_growth(2049) + alike_of(terms), plain_error(terms));
}

TEST(AlikeGrowth, GrantsUnlikeTermsLittle) {
  std::vector<double> terms;
  for (int i = 0; i < 8192; ++i) terms.push_back(static_cast<float>(std::exp(std::sin(1.0 * i * i))));
  EXPECT_LT(alike_of(terms), 0.5 * sum_growth(8192));
}

/// As plain_error, of a sum that `parts` threads add up, each every parts-th term.
double strided_error(const std::vector<double>& terms, std::size_t parts) {
  double sum = 0, exact = 0;
  for (std::size_t first = 0; first < parts; ++first) {
    float plain = 0;
    for (std::size_t i = first; i < terms.size(); i += parts) {
      plain += static_cast<float>(terms[i]);
      exact += static_cast<float>(terms[i]);
    }
    sum += plain;
  }
  return std::fabs(sum - exact) / (exact * 0x1p-24);
}

// One logit and a crowd of equal ones far below, a warp a row: the lane that has the first errs by the same
// part of each of its 32768 terms.
TEST(AlikeGrowth, HoldsThePartsOfARowThatNoPlainLoopAddsUp) {
  std::vector<double> terms((1U << 20U) - 3, static_cast<float>(std::exp(-14.3)));
  terms[5] = 1;
  const auto length = static_cast<double>(terms.size());
  EXPECT_GT(strided_error(terms, 32), 0.1 * sum_growth(length));
  EXPECT_LE(strided_error(terms, 32), sum_growth(length) + alike_of(terms));
}

// Seven sizes of terms at every place, a warp a row: each lane's 131072 terms round alike at the lane's own
// sum, whose spacing is a 32nd of that at the whole sum.
TEST(AlikeGrowth, HoldsARowWhosePartsAreAsLongAsPlainLoops) {
  std::vector<double> terms(32 * kLongestPlainSum);
  for (std::size_t i = 0; i < terms.size(); ++i)
    terms[i] = static_cast<float>(std::exp(-static_cast<double>(i / 32 * 2654435761U % 4294967296U % 7)));
  const auto length = static_cast<double>(terms.size());
  EXPECT_GT(strided_error(terms, 32), 1.5 * sum_growth(length));
  EXPECT_LE(strided_error(terms, 32), sum_growth(length) + alike_of(terms));
}

// Seven hot terms, each in a lane of its own, above a crowd that all lanes lose: the sum is just below 8, so
// that seven lanes, and not four, have sums in the binade below its own binade by two.
TEST(AlikeGrowth, HoldsHotTermsInSeveralLanes) {
  std::vector<double> terms(32 * kLongestPlainSum, static_cast<float>(5.9e-8));
  for (std::size_t lane = 0; lane < 7; ++lane) terms[lane] = 1;
  const auto length = static_cast<double>(terms.size());
  EXPECT_LE(strided_error(terms, 32), sum_growth(length) + alike_of(terms));
}

// What a plain loop over all of the row would lose is not granted.
TEST(AlikeGrowth, GrantsLongSumsTheShareOfTheLongestPlainLoop) {
  const double longest = alike_of(std::vector<double>(kLongestPlainSum, 0.1f));
  const std::vector<double> terms(8 * kLongestPlainSum, 0.1f);
  EXPECT_GT(longest, 0);
  EXPECT_LE(alike_of(terms), kLongestPlainSum);
  EXPECT_LT(sum_growth(static_cast<double>(terms.size())) + alike_of(terms), plain_error(terms));
}

// Each reference.cu is a file of its own, and this is the same in each.
TEST(AlikeGrowth, IsTheSameInEveryReferenceThatGrantsIt) {
  const auto functions =
      part_of_references(KGEN_SOURCE_DIR,
                         {"softmax", "log_softmax", "cross_entropy", "cross_entropy_backward", "layer_norm",
                          "group_norm", "mean_variance", "rms_norm", "residual_rms_norm", "l2_norm"},
                         "__device__ double alike_growth(", "\n}\n");
  EXPECT_EQ(functions.size(), 1U);
  EXPECT_FALSE(functions.contains(""));
}

}  // namespace
}  // namespace kgen::reference_ops
