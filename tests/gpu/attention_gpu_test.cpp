// Attention on a GPU: its fp64 oracle, and the backends of torch's scaled_dot_product_attention as baselines.
// KGEN_TEST_PYTHON names a python3 with torch (default python3); without one the baselines' tests are
// skipped.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>

#include "harness/judge/measure_baselines.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "judge_workplace.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

core::Task attention(const char* dtype, const core::Dims& dims, double causal) {
  const auto op = reference_ops::find_builtin_op("attention").value();
  return core::make_task(op, dtype, dims, {{"causal", causal}}).value();
}

core::Dims dims_of(std::int64_t b, std::int64_t hq, std::int64_t hkv, std::int64_t s, std::int64_t skv,
                   std::int64_t d) {
  return {{"B", b}, {"Hq", hq}, {"Hkv", hkv}, {"S", s}, {"Skv", skv}, {"D", d}};
}

struct AttentionGpu : testing::Test {
  ~AttentionGpu() override { test_workplace().device->drop_sets(); }
  ExecutionDevice& device() { return *test_workplace().device; }

  int set_with_inputs(const core::Task& task, const core::Distribution& distribution) {
    ShapeCase shape;
    shape.task = task;
    shape.tensors = core::tensors_of(task).value();
    const int set = device().make_set(buffers_of(shape)).value();
    EXPECT_TRUE(fill_inputs(device(), set, shape.tensors, {&distribution, 11}));
    return set;
  }
  OracleProgram oracle(const core::Task& task) {
    const auto& workplace = test_workplace().workplace;
    return oracle_program(task, workplace.facts, workplace.compile_all).value();
  }
};

TEST_F(AttentionGpu, TheOracleAgreesWithTheHosts) {
  for (const auto& task : {attention("bf16", dims_of(2, 4, 2, 70, 131, 128), 0),
                           attention("f16", dims_of(1, 3, 1, 65, 257, 64), 1),
                           attention("bf16", dims_of(1, 1, 1, 90, 40, 64), 1)}) {
    const auto tensors = core::tensors_of(task).value();
    const auto program = oracle(task);
    for (const auto& distribution : task.op->distributions) {
      const int set = set_with_inputs(task, distribution);
      ASSERT_TRUE(device().compute_expected(set, program));
      const auto host = expected_on_host(task, tensors, {&distribution, 11}).value().front();
      const auto got = device().read_expected(set, "o", 0, tensors.back().elements).value();
      ASSERT_EQ(got.values.size(), host.values.size());
      ASSERT_EQ(got.scale.size(), host.scale.size());
      for (std::size_t i = 0; i < host.values.size(); ++i) {
        // The scale is at least 8 times the sum of the magnitudes that make up the value.
        const double allowed = 1e-12 * absolute(host.values[i]) + 1e-10 * 0x1p-24 * host.scale[i];
        ASSERT_LE(absolute(got.values[i] - host.values[i]), allowed)
            << core::describe(task) << " " << distribution.name << " " << i;
        ASSERT_LE(absolute(got.scale[i] - host.scale[i]), 1e-6 * host.scale[i])
            << core::describe(task) << " " << distribution.name << " " << i;
      }
      device().drop_sets();
    }
  }
}

TEST_F(AttentionGpu, TheOracleTakesLessThanASecondAtTheDefaultTask) {
  for (const double causal : {0.0, 1.0}) {
    const auto task = attention("bf16", {}, causal);
    const auto program = oracle(task);
    const int set = set_with_inputs(task, task.op->distributions.front());
    ASSERT_TRUE(device().compute_expected(set, program));
    const util::Stopwatch watch;
    ASSERT_TRUE(device().compute_expected(set, program));
    const double ms = watch.elapsed_ms();
    std::cout << "oracle of " << core::describe(task) << " causal=" << causal << ": " << ms << " ms"
              << std::endl;
    EXPECT_LT(ms, 1000);
    device().drop_sets();
  }
}

TEST_F(AttentionGpu, AcceptsTheTensorCoreKernelAtTheDefaultTask) {
  for (const double causal : {0.0, 1.0}) {
    const auto evaluation =
        judge(test_workplace().workplace,
              request_of(attention("bf16", {}, causal),
                         source_file("reference_ops/attention/kernels/flash_mma.cu"), core::Tier::screen));
    EXPECT_EQ(evaluation.verdict, core::Verdict::correct) << evaluation.message;
    ASSERT_TRUE(evaluation.timing);
    std::cout << "flash_mma causal=" << causal << ": " << evaluation.timing->candidate.median_us << " us; "
              << stage_text(evaluation) << std::endl;
  }
}

/// A workplace with torch, opened once; null where python has none.
OpenWorkplace* torch_workplace() {
  static const std::unique_ptr<OpenWorkplace> open = []() -> std::unique_ptr<OpenWorkplace> {
    const char* python = std::getenv("KGEN_TEST_PYTHON");
    const char* worker = std::getenv("KGEN_WORKER");
    core::HelloRequest request;
    request.device = "cuda:0";
    request.python = python ? python : "python3";
    auto opened = open_workplace(request, worker ? worker : KGEN_BINARY_DIR "/harness/kgen-worker");
    if (!opened) return nullptr;
    for (const auto& tool : (*opened)->reply.tools) {
      if (tool.name == "torch" && tool.ok) return std::move(*opened);
    }
    return nullptr;
  }();
  return open.get();
}

std::vector<core::BaselineTiming> baselines_of(const core::Task& task) {
  const auto reply = measure_baselines(torch_workplace()->workplace, {task, 3}, [](const core::Stage&) {});
  EXPECT_TRUE(reply) << reply.error().text();
  if (!reply) return {};
  for (const auto& baseline : reply->baselines) {
    std::cout << core::describe(task) << " " << baseline.name << ": ";
    if (baseline.time) std::cout << baseline.time->median_us << " us" << std::endl;
    if (!baseline.time) std::cout << "not available: " << baseline.why_missing << std::endl;
  }
  return reply->baselines;
}

TEST(AttentionBaselinesGpu, FlashAndCudnnAreTimedAtTheDefaultTask) {
  if (torch_workplace() == nullptr) GTEST_SKIP() << "no python3 with torch here";
  for (const double causal : {0.0, 1.0}) {
    std::set<std::string> timed;
    for (const auto& baseline : baselines_of(attention("bf16", {}, causal))) {
      EXPECT_TRUE(baseline.library);
      EXPECT_TRUE(baseline.time || !baseline.why_missing.empty()) << baseline.name;
      if (baseline.time) timed.insert(baseline.name);
    }
    EXPECT_TRUE(timed.contains("torch_sdpa_flash") && timed.contains("torch_sdpa_cudnn"))
        << "causal " << causal;
  }
}

// Grouped heads: the memory-efficient backend takes none (torch 2.11), the others do.
TEST(AttentionBaselinesGpu, ABackendThatRefusesSaysWhy) {
  if (torch_workplace() == nullptr) GTEST_SKIP() << "no python3 with torch here";
  for (const auto& dims : {dims_of(1, 2, 1, 64, 128, 64), dims_of(1, 8, 2, 1024, 1024, 64)}) {
    std::string refused;
    for (const auto& baseline : baselines_of(attention("f16", dims, 1))) {
      EXPECT_EQ(baseline.time.has_value(), baseline.name != "torch_sdpa_efficient")
          << baseline.name << ": " << baseline.why_missing;
      if (!baseline.time) refused = baseline.why_missing;
    }
    EXPECT_NE(refused.find("num_heads"), std::string::npos) << refused;
  }
}

}  // namespace
}  // namespace kgen::judge
