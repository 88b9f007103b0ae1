#include "harness/judge/sweep.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "judge_workplace.hpp"

namespace kgen::judge {
namespace {

core::SweepReply sweep_of(const core::Task& task, std::string source, std::vector<core::Variant> variants) {
  core::SweepRequest request;
  request.task = task;
  request.source = std::move(source);
  request.seed = 7;
  request.variants = std::move(variants);
  auto reply = sweep(test_workplace().workplace, request, [](const core::Stage&) {});
  if (!reply) throw std::runtime_error(reply.error().text());
  for (const auto& variant : reply->variants)
    std::printf("  %-24s %-14s %8.2f us, %d samples%s\n", core::variant_text(variant.variant).c_str(),
                std::string(core::name_of(variant.verdict)).c_str(),
                variant.time ? variant.time->median_us : 0.0, variant.time ? variant.time->samples : 0,
                variant.stopped_early ? ", stopped early" : "");
  std::printf("  %.0f ms, method %s\n", reply->ms, reply->method.c_str());
  return std::move(*reply);
}

TEST(SweepGpu, TimesEveryVariantOfAGoodKernelCloseToItsScreen) {
  const auto task = task_of("softmax", "bf16", {{"rows", 8192}, {"cols", 4096}});
  const std::string source = source_file("reference_ops/softmax/kernels/any_cols.cu");
  const auto reply = sweep_of(task, source, {{{"THREADS", 256}}, {{"THREADS", 512}}, {{"THREADS", 128}}});
  ASSERT_EQ(reply.variants.size(), 3u);
  for (const auto& variant : reply.variants) {
    EXPECT_EQ(variant.verdict, core::Verdict::correct) << variant.message;
    ASSERT_TRUE(variant.time);
  }
  const auto screen = judge(test_workplace().workplace, request_of(task, source, core::Tier::screen));
  ASSERT_TRUE(screen.timing) << screen.message;
  EXPECT_NEAR(reply.variants[0].time->median_us / screen.timing->candidate.median_us, 1.0, 0.05)
      << "the sweep's time of the defaults is that of their screen";
}

TEST(SweepGpu, AVariantThatIsWrongOrFaultsIsRejectedAlone) {
  const auto task = task_of("softmax", "bf16", {{"rows", 256}, {"cols", 512}});
  std::string source = source_file("reference_ops/softmax/kernels/any_cols.cu");
  // 128 writes far outside, 512 adds to its results.
  const std::string head = "softmax_any(const x_t* x, y_t* y, long long cols) {";
  const auto at = source.find(head);
  ASSERT_NE(at, std::string::npos);
  source.insert(
      at + head.size(),
      "\n  if (THREADS == 128) y[1ll << 40] = x[0];\n  if (THREADS == 512) { y[0] = x[0]; return; }\n");
  const auto reply = sweep_of(task, source, {{{"THREADS", 256}}, {{"THREADS", 128}}, {{"THREADS", 512}}});
  EXPECT_EQ(reply.variants[0].verdict, core::Verdict::correct) << reply.variants[0].message;
  EXPECT_EQ(reply.variants[1].verdict, core::Verdict::fault) << reply.variants[1].message;
  EXPECT_EQ(reply.variants[2].verdict, core::Verdict::wrong_result) << reply.variants[2].message;
}

}  // namespace
}  // namespace kgen::judge
