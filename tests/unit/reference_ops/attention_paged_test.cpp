// What attention over few keys, each again and again, is granted.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/reference.hpp"
#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {
namespace {

constexpr std::size_t kWidth = 64;
constexpr double kRoundoff = 0x1p-24;

/// One query over `room` pages of 4 keys, drawn from a pool of `pages`.
struct Paged {
  std::size_t pages, room;
  std::vector<double> q, k, v, table, last, o, scale;

  Paged(std::size_t pool, std::size_t places, std::mt19937& draws)
      : pages(pool),
        room(places),
        q(values(kWidth, draws)),
        k(values(pool * 4 * kWidth, draws)),
        v(values(pool * 4 * kWidth, draws)),
        last{static_cast<double>(places * 4 - 1)},
        o(kWidth),
        scale(kWidth) {
    for (std::size_t i = 0; i < places; ++i) table.push_back(static_cast<double>(draws() % pool));
  }

  /// Near to normal, and exact in f16.
  static std::vector<double> values(std::size_t count, std::mt19937& draws) {
    std::vector<double> out(count);
    for (double& value : out) {
      double sum = -6;
      for (int i = 0; i < 12; ++i) sum += static_cast<double>(draws()) * 0x1p-32;
      value = std::round(sum * 256) / 256;
    }
    return out;
  }

  void run_reference() {
    const core::Dims dims = {{"B", 1},     {"Hq", 1},
                             {"Hkv", 1},   {"pages", static_cast<std::int64_t>(pages)},
                             {"page", 4},  {"room", static_cast<std::int64_t>(room)},
                             {"D", kWidth}};
    const core::Task task =
        core::make_task(find_builtin_op("attention_paged").value(), "f16", dims, {}).value();
    ReferenceCall call;
    call.task = &task;
    call.threads = 1;
    call.inputs = {{"q", q}, {"k", k}, {"v", v}, {"table", table}, {"last", last}};
    call.expected["o"] = o;
    call.scale["o"] = scale;
    ASSERT_TRUE(find_reference("attention_paged")->function(call));
  }

  std::size_t row(std::size_t key) const {
    return (static_cast<std::size_t>(table[key / 4]) * 4 + key % 4) * kWidth;
  }

  /// In f32: a plain loop over all keys for the sum of the weights, and one a dim for the sums of products.
  std::vector<float> in_plain_loops() const {
    std::vector<float> weights(room * 4), out(kWidth);
    float largest = -INFINITY, sum = 0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
      float logit = 0;
      for (std::size_t d = 0; d < kWidth; ++d)
        logit += static_cast<float>(q[d]) * static_cast<float>(k[row(key) + d]);
      weights[key] = logit / 8;
      largest = std::max(largest, weights[key]);
    }
    for (float& weight : weights) sum += weight = std::exp(weight - largest);
    for (std::size_t key = 0; key < weights.size(); ++key) {
      for (std::size_t d = 0; d < kWidth; ++d)
        out[d] += weights[key] / sum * static_cast<float>(v[row(key) + d]);
    }
    return out;
  }
};

// vLLM's kernel, which is right, lost a value of 64 there.
TEST(AttentionPaged, OfFewKeysManyTimesIsGrantedWhatEqualTermsLose) {
  std::mt19937 draws(7);
  double worst = 0;
  for (int trial = 0; trial < 4; ++trial) {
    Paged paged(1, 8256, draws);
    paged.run_reference();
    const auto plain = paged.in_plain_loops();
    for (std::size_t d = 0; d < kWidth; ++d) {
      const double granted = paged.scale[d] * kRoundoff,
                   lost = std::fabs(static_cast<double>(plain[d]) - paged.o[d]);
      EXPECT_LE(lost, granted) << d;
      worst = std::max(worst, lost / granted);
    }
  }
  EXPECT_GT(worst, 1.0 / 64) << "and not much more than that";
}

TEST(AttentionPaged, OfManyKeysIsGrantedWhatUnlikeTermsLose) {
  std::mt19937 draws(7);
  Paged paged(64, 64, draws);
  paged.run_reference();
  const std::vector<double> unlike = paged.scale;
  paged.pages = 1 << 20;  // the reference reads no more of the pool than the table names
  paged.run_reference();
  EXPECT_EQ(paged.scale, unlike);
  std::fill(paged.table.begin(), paged.table.end(), 3.0);
  paged.run_reference();
  const std::vector<double> alike = paged.scale;
  paged.table.back() = 4.0;
  paged.run_reference();
  EXPECT_GT(alike.front(), paged.scale.front() * 1.5) << "one page for all";
}

TEST(SumGrowth, OfFewRowsIsThatOfEachRowTimesTheRootOfTheirNumber) {
  EXPECT_EQ(sum_growth_of_rows(1, 1), 0);
  EXPECT_EQ(sum_growth_of_rows(1024, 1024), sum_growth(1024));
  EXPECT_EQ(sum_growth_of_rows(1024, 64), 128);
  EXPECT_EQ(sum_growth_of_rows(1024, 1), 1024) << "the worst case";
}

}  // namespace
}  // namespace kgen::reference_ops
