#include "harness/judge/check_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/judge/few_rows.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(const std::vector<CheckCase>& cases) {
  Pairs out;
  for (const CheckCase& one : cases) out.emplace(one.shape, one.distribution);
  return out;
}

// A float attribute cannot stand in `requires`, so a kernel claims every value of it.
TEST(CheckCases, WhatAnOpMarksMeetsEveryMadeShapeWithOtherAttributes) {
  const auto op = *reference_ops::find_builtin_op("rms_norm");
  const auto tiny = static_cast<std::size_t>(
      std::find_if(op->distributions.begin(), op->distributions.end(),
                   [](const auto& distribution) { return distribution.with_attributes; }) -
      op->distributions.begin());
  ASSERT_LT(tiny, op->distributions.size());
  EXPECT_EQ(op->distributions[tiny].name, "tiny");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto cases = check_cases(*op, {3, 4, {4, 6}}, core::Tier::promotion, seed);
    const Pairs pairs = pairs_of(cases);
    EXPECT_EQ(pairs.size(), cases.size()) << "a pair runs twice";
    EXPECT_TRUE(pairs.contains({4, tiny}) && pairs.contains({6, tiny})) << seed;
  }
  int elsewhere = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    elsewhere +=
        pairs_of(check_cases(*op, {3, 4, {4, 6}}, core::Tier::promotion, seed)).contains({5, tiny}) ? 1 : 0;
  EXPECT_LT(elsewhere, 20);
  const auto all = check_cases(*op, {3, 4, {4, 6}}, core::Tier::promotion, 1);
  const std::vector<std::int64_t> work(7, kEmulatedInPart);  // the emulator runs a part of all
  const Pairs kept = pairs_of(emulated_cases(all, *op, work, 1));
  for (const std::size_t shape : {0U, 1U, 2U, 4U, 6U}) EXPECT_TRUE(kept.contains({shape, tiny})) << shape;
}

// Indices are compared for equality whatever the distribution; matmul's values with NaN have another kind.
TEST(CheckCases, EveryOpMeetsMoreThanNormalValuesAtDearShapesAndSpecialOnesWhereItHasAny) {
  const auto ops = reference_ops::builtin_ops();
  for (const auto& op : *ops) {
    if (op.name == "mean_variance") continue;  // sums of all: none of its values shows what is left out
    EXPECT_EQ(large_distributions(op, 1).size(), 2U) << op.name;
    int special = 0;
    for (std::uint64_t seed = 0; seed < 40 && op.meets_special_values(); ++seed) {
      for (const std::size_t d : made_distributions(op, seed)) {
        if (!op.distributions[d].meets_special_values()) continue;
        ++special;
        break;
      }
    }
    EXPECT_TRUE(special >= 12 || !op.meets_special_values()) << op.name << " " << special;
  }
  const auto argmax = *reference_ops::find_builtin_op("argmax");
  EXPECT_EQ(argmax->distributions[large_distributions(*argmax, 3)[1]].name, "one_hot");
}

TEST(CheckCases, AShapeThatIsRunWholeMeetsEveryDistributionHoweverFewThereAre) {
  core::Op op = **reference_ops::find_builtin_op("rms_norm");
  op.distributions.resize(2);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    ShapeCounts shapes{2, 2};
    shapes.distributions = {{2, 1}, {3, 1}};
    shapes.whole = {3};
    const Pairs pairs = pairs_of(check_cases(op, shapes, core::Tier::promotion, seed));
    EXPECT_TRUE(pairs.contains({3, 0}) && pairs.contains({3, 1})) << seed;
    EXPECT_FALSE(pairs.contains({2, 1})) << seed;
  }
}

TEST(CheckCases, FurtherDrawsAreOfPromotionsAloneAndTheTasksShapeStaysLast) {
  const core::Op op = **reference_ops::find_builtin_op("softmax");
  ShapeCounts shapes{3, 1};
  shapes.draws = {{1, 4}, {2, 2}};
  std::map<std::pair<std::size_t, std::size_t>, std::vector<int>> draws;
  const auto cases = check_cases(op, shapes, core::Tier::promotion, 5);
  for (const CheckCase& one : cases) draws[{one.shape, one.distribution}].push_back(one.draw);
  for (std::size_t d = 0; d < op.distributions.size(); ++d) {
    EXPECT_EQ((draws[{1, d}]), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ((draws[{2, d}]), (std::vector<int>{0, 1}));
    EXPECT_EQ((draws[{0, d}]), std::vector<int>{0});
  }
  EXPECT_EQ(cases.back().shape, 0U);
  for (const CheckCase& one : check_cases(op, shapes, core::Tier::screen, 5)) EXPECT_EQ(one.draw, 0);
}

int draws_at(const char* op_name, const core::Dims& dims) {
  const auto op = *reference_ops::find_builtin_op(op_name);
  core::DeviceFacts device;
  device.kind = core::DeviceKind::cuda;
  const auto task = core::make_task(op, core::name_of(op->default_dtype), dims, {});
  EXPECT_TRUE(task) << task.error().text();
  return !task ? 0 : draws_of(*task, device, OracleCostModel(*op));
}

TEST(FewRows, AreDrawnUntilThereAreEight) {
  EXPECT_EQ(draws_at("log_softmax", {{"rows", 2}, {"cols", 65537}}), 4);
  EXPECT_EQ(draws_at("log_softmax", {{"rows", 3}, {"cols", 8192}}), 3);
  EXPECT_EQ(draws_at("log_softmax", {{"rows", 8}, {"cols", 65537}}), 1);
  EXPECT_EQ(draws_at("log_softmax", {{"rows", 2}, {"cols", 2049}}), 1) << "other shapes have such rows";
  EXPECT_EQ(draws_at("log_softmax", {{"rows", 0}, {"cols", 65537}}), 1);
  EXPECT_EQ(draws_at("vector_add", {{"n", 4097}}), 8);
}

// Its reference compares each value of a row with each other.
TEST(FewRows, AreDrawnLessOftenWhereTheReferenceTakesLong) {
  EXPECT_GT(draws_at("top_k", {{"rows", 1}, {"cols", 5000}}), 4);
  EXPECT_EQ(draws_at("top_k", {{"rows", 1}, {"cols", 16384}}), 3);
  EXPECT_EQ(draws_at("top_k", {{"rows", 1}, {"cols", 32768}}), 1);
}

class EmulatedCases : public testing::Test {
 protected:
  const std::shared_ptr<const core::Op> op_ = *reference_ops::find_builtin_op("softmax");
  /// Shapes 2 and 4 are small, 5 is run once, 6 is too large.
  std::vector<std::int64_t> work_ = {131'072,       120'000,          30, 110'000, kEmulatedWhole,
                                     kEmulatedOnce, kEmulatedOnce + 1};
  const std::vector<CheckCase> all_ = check_cases(*op_, {7, 0}, core::Tier::promotion, 7);
  std::vector<CheckCase> kept(std::uint64_t seed) const { return emulated_cases(all_, *op_, work_, seed); }
};

TEST_F(EmulatedCases, SmallShapesKeepEveryDistribution) {
  const Pairs pairs = pairs_of(kept(1));
  for (std::size_t d = 0; d < op_->distributions.size(); ++d) {
    EXPECT_TRUE(pairs.contains({2, d})) << d;
    EXPECT_TRUE(pairs.contains({4, d})) << d;
  }
}

TEST_F(EmulatedCases, EachDistributionMeetsALargeShapeAndEachLargeShapeTheFirst) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Pairs pairs = pairs_of(kept(seed));
    for (std::size_t d = 0; d < op_->distributions.size(); ++d)
      EXPECT_TRUE(pairs.contains({0, d}) || pairs.contains({1, d}) || pairs.contains({3, d})) << d;
    for (const std::size_t shape : {0U, 1U, 3U}) EXPECT_TRUE(pairs.contains({shape, 0})) << shape;
  }
}

TEST_F(EmulatedCases, LargeShapesAreComparedForEqualityTooAndLeaveTheRestOut) {
  const auto some = kept(3);
  EXPECT_LT(some.size(), all_.size() * 3 / 4);
  for (const std::size_t shape : {0U, 1U, 3U}) {
    const bool equal = std::any_of(some.begin(), some.end(), [&](const CheckCase& one) {
      return one.shape == shape && op_->distributions[one.distribution].compare_equal;
    });
    EXPECT_TRUE(equal) << shape;
  }
}

TEST_F(EmulatedCases, SpecialValuesMeetEveryLargeShape) {
  const Pairs pairs = pairs_of(kept(4));
  for (std::size_t d = 0; d < op_->distributions.size(); ++d) {
    if (op_->distributions[d].name != "special") continue;
    for (const std::size_t shape : {0U, 1U, 3U}) EXPECT_TRUE(pairs.contains({shape, d})) << shape;
  }
}

TEST_F(EmulatedCases, VeryLargeShapesMeetTheFirstDistributionOrNoneButTheTasksOwnIsAlwaysRun) {
  const auto cases_of = [&](std::size_t shape) {
    const auto some = kept(3);
    return std::count_if(some.begin(), some.end(), [&](const CheckCase& one) { return one.shape == shape; });
  };
  EXPECT_EQ(cases_of(5), 1);
  EXPECT_EQ(cases_of(6), 0);
  work_[0] = kEmulatedOnce + 1;
  EXPECT_EQ(cases_of(0), 1);
}

TEST_F(EmulatedCases, AnotherSeedLeavesOutOthersAndTheSameSeedTheSame) {
  EXPECT_EQ(pairs_of(kept(5)), pairs_of(kept(5)));
  std::set<Pairs> different;
  for (std::uint64_t seed = 0; seed < 10; ++seed) different.insert(pairs_of(kept(seed)));
  EXPECT_GT(different.size(), 1U);
}

}  // namespace
}  // namespace kgen::judge
