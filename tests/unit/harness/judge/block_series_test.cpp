#include "harness/judge/block_series.hpp"

#include <gtest/gtest.h>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/roofline.hpp"
#include "harness/judge/timing.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

TimedSubject subject(const std::string& name, std::vector<std::string>& log,
                     const std::function<double()>& us) {
  return {name,
          [&log, name, us](const run::TimeBlock& block) -> Result<std::vector<double>> {
            log.push_back(name);
            std::vector<double> times;
            for (std::size_t i = 0; i < block.order.size(); ++i) times.push_back(us());
            return times;
          },
          1 << 20,
          {},
          {},
          {}};
}

run::TimeBlock two_sets() {
  run::TimeBlock block;
  block.order = {0, 1};
  return block;
}

TEST(BlockSeries, GoesForthAndBackThroughAllSubjects) {
  std::vector<std::string> log;
  std::vector<TimedSubject> subjects{subject("candidate", log, [] { return 10.0; }),
                                     subject("eager", log, [] { return 20.0; })};
  const auto rounds =
      time_in_rounds(subjects, two_sets(), 1, {1000, 2, 0.005}, [] { return 0.0; }, [] { return Status{}; });
  ASSERT_TRUE(rounds);
  EXPECT_EQ(*rounds, 2);
  EXPECT_EQ(log, (std::vector<std::string>{"candidate", "eager", "eager", "candidate", "candidate", "eager",
                                           "eager", "candidate"}));
  core::BaselineTiming timing;
  describe_baseline(subjects[1], timing);
  EXPECT_EQ(timing.speedup, 2.0);
  EXPECT_EQ(timing.time->median_us, 20.0);
}

TEST(BlockSeries, StopsWhereTheCandidateCannotWinAnyMore) {
  std::vector<std::string> log;
  double us = 0;
  std::vector<TimedSubject> subjects{subject("candidate", log, [&] { return us = us == 20 ? 22 : 20; })};
  SeriesLimits limits{1000, 50, 0.0001};
  limits.hopeless_above_us = 19;
  EXPECT_EQ(*time_in_rounds(subjects, two_sets(), 1, limits, [] { return 0.0; }, [] { return Status{}; }), 1);
  limits.hopeless_above_us = 21;  // its interval reaches below: all rounds are made
  subjects[0].samples.clear();
  double clock = 0;
  const auto rounds =
      time_in_rounds(subjects, two_sets(), 1, limits, [&] { return clock += 100; }, [] { return Status{}; });
  EXPECT_GT(*rounds, 1);
}

// Drift that doubles every time cancels out of the paired ratio.
TEST(BlockSeries, DriftHitsBothAlike) {
  std::vector<std::string> log;
  double drift = 1;
  std::vector<TimedSubject> subjects{subject("candidate", log, [&] { return 10.0 * (drift += 0.01); }),
                                     subject("eager", log, [&] { return 15.0 * (drift += 0.01); })};
  double clock = 0;
  ASSERT_TRUE(time_in_rounds(
      subjects, two_sets(), 1, {200, 2, 0.0}, [&] { return clock += 1; }, [] { return Status{}; }));
  core::BaselineTiming timing;
  describe_baseline(subjects[1], timing);
  EXPECT_NEAR(timing.speedup, 1.5, 0.01);
  EXPECT_LT(timing.speedup_high - timing.speedup_low, 0.05);
}

TEST(BlockSeries, StopsAtItsBudget) {
  std::vector<std::string> log;
  double clock = 0, noise = 1;
  std::vector<TimedSubject> subjects{subject("candidate", log, [&] {
    clock += 10;
    return noise = noise > 1 ? 1 : 2;
  })};
  const auto rounds = time_in_rounds(
      subjects, two_sets(), 1, {200, 2, 0.001}, [&] { return clock; }, [] { return Status{}; });
  EXPECT_EQ(*rounds, 5);  // 40 ms each
}

TEST(BlockSeries, SlowSubjectsSitLaterRoundsOut) {
  std::vector<std::string> log;
  double clock = 0, noise = 1;
  std::vector<TimedSubject> subjects{
      subject("candidate", log, [&] { return clock += 1, noise = noise > 1 ? 1 : 2; }),
      subject("naive", log, [&] { return 100.0; })};
  subjects[1].most_rounds = 2;
  ASSERT_TRUE(time_in_rounds(
      subjects, two_sets(), 1, {40, 2, 0.001}, [&] { return clock; }, [] { return Status{}; }));
  EXPECT_EQ(std::count(log.begin(), log.end(), "naive"), 4);
  EXPECT_GT(std::count(log.begin(), log.end(), "candidate"), 8);
}

TEST(BlockSeries, PassesAFailureOn) {
  std::vector<TimedSubject> subjects(1);
  subjects[0].time = [](const run::TimeBlock&) -> Result<std::vector<double>> {
    return fail(ErrorKind::missing, "gone");
  };
  EXPECT_FALSE(time_in_rounds(subjects, two_sets(), 1, {}, [] { return 0.0; }, [] { return Status{}; }));
}

TEST(BlockSeries, LeavesABaselineOutThatFailsAndSaysSo) {
  std::vector<std::string> log;
  int calls = 0;
  std::vector<TimedSubject> subjects{subject("candidate", log, [] { return 10.0; }),
                                     subject("eager", log, [] { return 20.0; })};
  subjects.push_back({"compile",
                      [&](const run::TimeBlock& block) -> Result<std::vector<double>> {
                        if (++calls == 3) return fail(ErrorKind::missing, "the process ended");
                        return std::vector<double>(block.order.size(), 5.0);
                      },
                      1 << 20,
                      {},
                      {},
                      {}});
  const auto rounds =
      time_in_rounds(subjects, two_sets(), 1, {1000, 3, 0.005}, [] { return 0.0; }, [] { return Status{}; });
  ASSERT_TRUE(rounds);
  EXPECT_EQ(*rounds, 3);
  EXPECT_EQ(calls, 3);
  core::BaselineTiming timing;
  describe_baseline(subjects[2], timing);
  EXPECT_FALSE(timing.time);
  EXPECT_EQ(timing.why_missing, "failed while being timed: the process ended");
  EXPECT_EQ(subjects[1].ratios.size(), 3u);
}

TEST(BlockSeries, PassesOnWhatFailsAfterARound) {
  std::vector<std::string> log;
  std::vector<TimedSubject> subjects{subject("candidate", log, [] { return 10.0; })};
  EXPECT_FALSE(time_in_rounds(
      subjects, two_sets(), 1, {}, [] { return 0.0; }, [] { return fail(ErrorKind::missing, "gone"); }));
}

TEST(TimingSets, TogetherExceedTwiceTheL2WhereMemoryAllows) {
  EXPECT_EQ(timing_sets(768 << 20, 60 << 20, std::int64_t{100} << 30), 4);
  EXPECT_EQ(timing_sets(24 << 20, 60 << 20, std::int64_t{100} << 30), 5);
  EXPECT_EQ(timing_sets(1 << 10, 60 << 20, std::int64_t{100} << 30), 8);
  EXPECT_EQ(timing_sets(std::int64_t{30} << 30, 60 << 20, std::int64_t{130} << 30), 2);
}

TEST(Roofline, KeepsItsTwoFloorsApart) {
  const auto op = reference_ops::find_builtin_op("softmax").value();
  const auto task = core::make_task(op, "bf16", {{"rows", 8192}, {"cols", 8192}}, {}).value();
  core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  device.datasheet_bandwidth_gbs = 4800;
  device.measured_copy_gbs = 4200;
  device.l2_bytes = 60 << 20;
  core::Timing timing;
  timing.candidate.median_us = 80;
  ASSERT_TRUE(fill_floors(task, device, timing));
  EXPECT_NEAR(timing.floor_us, 63.9, 0.1);
  EXPECT_TRUE(timing.ceiling_measured);
  EXPECT_NEAR(timing.percent_of_roofline, 79.9, 0.1);
  EXPECT_NEAR(timing.plausible_floor_us, (2 * 134.217728e6 - 62.914560e6) / 4800e3, 0.1);
}

TEST(Roofline, CountsOfATableOnlyTheRowsThatAreRead) {
  const auto op = reference_ops::find_builtin_op("embedding").value();
  const auto task =
      core::make_task(op, "bf16", {{"n", 1000}, {"rows", 1000000}, {"width", 4096}}, {}).value();
  core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  device.datasheet_bandwidth_gbs = 4800;
  device.l2_bytes = 0;
  core::Timing timing;
  ASSERT_TRUE(fill_floors(task, device, timing));
  EXPECT_NEAR(timing.plausible_floor_us, 2 * 1000 * 4096.0 * 2 / 4800e3,
              0.02);  // the table alone takes 1.7 ms
}

TEST(Roofline, HasNoFloorBelowTheProductsOfTheOp) {
  const auto op = reference_ops::find_builtin_op("matmul").value();
  core::DeviceFacts device = core::facts_for_arch("sm_90a").value();
  device.datasheet_bandwidth_gbs = 4800;
  device.measured_copy_gbs = 4200;
  device.max_sm_clock_mhz = 1980;
  const auto timing_of = [&](const char* dtype, std::int64_t k) {
    core::Timing timing;
    timing.candidate.median_us = 200;
    const auto task = core::make_task(op, dtype, {{"M", 4096}, {"N", 4096}, {"K", k}}, {}).value();
    EXPECT_TRUE(fill_floors(task, device, timing));
    return timing;
  };
  const auto products = timing_of("bf16", 4096);
  EXPECT_NEAR(products.floor_us, 2 * 4096.0 * 4096 * 4096 / (132 * 1980e6 * 4096) * 1e6, 0.1);
  EXPECT_EQ(products.plausible_floor_us, products.floor_us);
  EXPECT_FALSE(products.ceiling_measured);
  const auto bytes = timing_of("bf16", 8);
  EXPECT_NEAR(bytes.floor_us, 2 * (4096.0 * 4096 + 2 * 8 * 4096) / 4200e3, 0.1);
  EXPECT_TRUE(bytes.ceiling_measured);
  EXPECT_NEAR(timing_of("f32", 4096).floor_us, 16 * products.floor_us, 1);
  device.max_sm_clock_mhz = 0;
  EXPECT_LT(timing_of("bf16", 4096).floor_us, 30);
}

TEST(CheckCases, RotateWithTheSeedAndAlwaysHoldNormalAndExact) {
  const auto op = reference_ops::find_builtin_op("softmax").value();
  std::set<std::size_t> thirds;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto chosen = screen_distributions(*op, seed);
    ASSERT_EQ(chosen.size(), 3u);
    EXPECT_EQ(op->distributions[chosen[0]].name, "normal");
    EXPECT_TRUE(op->distributions[chosen[1]].compare_equal);
    thirds.insert(chosen[2]);
  }
  EXPECT_GE(thirds.size(), 2u);
}

TEST(CheckCases, ScreenVisitsEveryDistributionSomewhere) {
  const auto op = reference_ops::find_builtin_op("softmax").value();
  std::set<std::size_t> seen;
  for (const auto& check : check_cases(*op, {6, 0}, core::Tier::screen, 9)) seen.insert(check.distribution);
  EXPECT_EQ(seen.size(), op->distributions.size());
}

}  // namespace
}  // namespace kgen::judge
