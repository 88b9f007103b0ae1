#include <algorithm>

#include "harness/cuda/device_query.hpp"
#include "harness/judge/block_series.hpp"
#include "harness/judge/median.hpp"
#include "run_fixture.hpp"
#include "util/clock.hpp"

namespace kgen::test {
namespace {

class TimingGpu : public RunFixture {
 protected:
  /// Times `scale` over `floats` elements, on two sets in turn.
  static double median_us(run::RunProcess& process, std::size_t floats, bool graph,
                          std::int64_t flush_bytes) {
    const std::vector<float> ones(floats, 1.0f);
    const SharedTensor x0("x", ones), y0("y", ones), x1("x", ones), y1("y", ones);
    EXPECT_TRUE(process.map(0, {{x0.shared(), y0.shared()}}));
    EXPECT_TRUE(process.map(1, {{x1.shared(), y1.shared()}}));
    run::TimeBlock block;
    for (int i = 0; i < 21; ++i) block.order.push_back(i % 2);
    block.flush_bytes = flush_bytes;
    block.graph = graph;
    auto times = process.time_block(
        one(launch("scale", 132 * 8, {buffer("x"), buffer("y"), scalar((long long)floats), scalar(2.0f)},
                   256)),
        block);
    EXPECT_TRUE(times) << text_of(times.error());
    if (!times) return -1;
    EXPECT_EQ(y0.values<float>(), std::vector<float>(floats, 2.0f));
    EXPECT_TRUE(process.unmap_all());
    std::sort(times->begin(), times->end());
    std::printf("  %zu floats, %s, flush %lld MB: min %.2f median %.2f max %.2f us\n", floats,
                graph ? "graph" : "stream", static_cast<long long>(flush_bytes >> 20), times->front(),
                (*times)[times->size() / 2], times->back());
    return (*times)[times->size() / 2];
  }
};

TEST_F(TimingGpu, ALargeKernelMovesItsBytesAtAboutTheCopyBandwidth) {
  auto process = loaded("good", {kernel("scale", 256)});
  ASSERT_OK(RunFixture::pool().settle());
  ASSERT_OK_AND_TAKE(const auto facts, cuda::query_device(0));
  constexpr std::size_t kFloats = 64u << 20;
  const double us = median_us(process, kFloats, false, 2 * facts.l2_bytes);
  const double gbs = 8.0 * kFloats / us / 1e3;
  std::printf("  %.0f GB/s of %.0f\n", gbs, facts.datasheet_bandwidth_gbs);
  EXPECT_GT(gbs, 0.5 * facts.datasheet_bandwidth_gbs);
  EXPECT_LT(gbs, 1.05 * facts.datasheet_bandwidth_gbs);
}

TEST_F(TimingGpu, StreamAndGraphAgreeOnALargeKernel) {
  auto process = loaded("good", {kernel("scale", 256)});
  ASSERT_OK(RunFixture::pool().settle());
  ASSERT_OK_AND_TAKE(const auto facts, cuda::query_device(0));
  const double stream = median_us(process, 16u << 20, false, 2 * facts.l2_bytes);
  const double graph = median_us(process, 16u << 20, true, 2 * facts.l2_bytes);
  EXPECT_NEAR(stream / graph, 1.0, 0.15);
}

TEST_F(TimingGpu, AFlushMakesACachedKernelSlower) {
  auto process = loaded("good", {kernel("scale", 256)});
  ASSERT_OK(RunFixture::pool().settle());
  ASSERT_OK_AND_TAKE(const auto facts, cuda::query_device(0));
  // Both sets together fit in the L2: without a flush they stay there.
  const std::size_t floats = static_cast<std::size_t>(facts.l2_bytes) / 4 / 8;
  const double warm = median_us(process, floats, true, 0);
  const double cold = median_us(process, floats, true, 2 * facts.l2_bytes);
  EXPECT_GT(cold, 1.1 * warm);
}

/// `spin` on two sets, timed as the judge times short kernels: one graph a block.
class SpinGpu : public RunFixture {
 protected:
  void SetUp() override {
    ASSERT_TRUE(process_.map(0, {{out0_.shared()}}));
    ASSERT_TRUE(process_.map(1, {{out1_.shared()}}));
    ASSERT_OK(pool().settle());
    block_.order = {0, 1, 0, 1, 0, 1, 0, 1};
    block_.graph = true;
    const auto facts = cuda::query_device(0);
    ASSERT_TRUE(facts);
    block_.flush_bytes = 2 * facts->l2_bytes;
  }
  judge::TimedSubject spin(long long cycles) {
    const auto sequence = one(launch("spin", 132, {scalar(cycles), buffer("out")}, 128));
    judge::TimedSubject subject;
    subject.time = [this, sequence](const run::TimeBlock& block) -> Result<std::vector<double>> {
      auto times = process_.time_block(sequence, block);
      if (!times) return tl::unexpected(run::to_error(times.error()));
      return std::move(*times);
    };
    return subject;
  }
  /// Rounds of both, as the judge times a candidate against a baseline: for a second, of the four that a
  /// promotion may take.
  std::vector<judge::TimedSubject> timed(long long a, long long b) {
    std::vector<judge::TimedSubject> subjects{spin(a), spin(b)};
    const util::Stopwatch clock;
    const auto rounds = judge::time_in_rounds(
        subjects, block_, 1, {1000, 20, 0.0}, [&] { return clock.elapsed_ms(); }, [] { return Status{}; });
    EXPECT_TRUE(rounds) << rounds.error().text();
    return subjects;
  }

  const std::vector<int> zeros_ = std::vector<int>(132);
  const SharedTensor out0_{"out", zeros_}, out1_{"out", zeros_};
  run::RunProcess process_ = loaded("good", {kernel("spin", 128)});
  run::TimeBlock block_;
};

TEST_F(SpinGpu, ThreePercentOfThreeMicrosecondsShow) {
  const auto far = timed(2000, 12000);
  const auto median = [](const judge::TimedSubject& s) {
    return judge::median_interval(s.samples).median_us;
  };
  const double us_a_cycle = (median(far[1]) - median(far[0])) / 10000;
  ASSERT_GT(us_a_cycle, 0);
  // As short as a kernel can be here: the launch and the events alone are about 3 us.
  constexpr long long kShort = 400;
  const double shortest = median(timed(kShort, kShort)[0]);
  const auto more = static_cast<long long>(0.03 * shortest / us_a_cycle);
  for (int trial = 0; trial < 5; ++trial) {
    const auto both = timed(kShort, kShort + more);
    const auto a = judge::widened(judge::median_interval(both[0].samples), judge::kProcessSpread);
    const auto b = judge::widened(judge::median_interval(both[1].samples), judge::kProcessSpread);
    core::BaselineTiming compared;
    judge::describe_baseline(both[1], compared);
    std::printf(
        "  %lld and %lld cycles more: %.3f us [%.3f, %.3f] and %.3f us [%.3f, %.3f], ratio %.4f [%.4f, "
        "%.4f]\n",
        kShort, more, a.median_us, a.low_us, a.high_us, b.median_us, b.low_us, b.high_us, compared.speedup,
        compared.speedup_low, compared.speedup_high);
    EXPECT_LT(a.median_us, 5.0);
    EXPECT_LT(a.high_us, b.low_us) << "the intervals do not tell them apart";
    EXPECT_NEAR(compared.speedup, 1.03, 0.015);
    EXPECT_GT(compared.speedup_low, 1.0);
  }
}

}  // namespace
}  // namespace kgen::test
