#include <algorithm>

#include "harness/cuda/device_query.hpp"
#include "run_fixture.hpp"

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

TEST_F(TimingGpu, AKernelOfMicrosecondsIsResolved) {
  auto process = loaded("good", {kernel("scale", 256)});
  ASSERT_OK(RunFixture::pool().settle());
  const double graph = median_us(process, 1024, true, 0);
  EXPECT_GT(graph, 0.5);
  EXPECT_LT(graph, 20);
  (void)median_us(process, 1024, false, 0);
}

}  // namespace
}  // namespace kgen::test
