// What only a promotion finds: shapes of the judge's own, more than 2^31 elements, compute-sanitizer's tools,
// the soak. KGEN_SANITIZER_LOGS=FOLDER keeps the tools' logs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "judge_workplace.hpp"
#include "util/clock.hpp"
#include "util/file.hpp"

namespace kgen::judge {
namespace {

using core::Check;
using core::Verdict;

/// The workplace with its tools' logs kept where the environment says so.
Workplace workplace_keeping_logs(const std::string& name) {
  Workplace workplace = test_workplace().workplace;
  const char* folder = std::getenv("KGEN_SANITIZER_LOGS");
  if (folder == nullptr || !workplace.run_sanitizers) return workplace;
  workplace.run_sanitizers = [run = workplace.run_sanitizers, name,
                              where = std::string(folder)](const auto& job) {
    auto runs = run(job);
    for (const auto& tool : runs)
      (void)util::write_file_atomic(where + "/" + name + "_" + tool.tool + ".txt", tool.log);
    return runs;
  };
  return workplace;
}

core::Evaluation promote(const std::string& name, const core::Task& task, const std::string& source) {
  auto request = request_of(task, source, core::Tier::promotion);
  request.timing = false;
  const util::Stopwatch watch;
  auto evaluation = judge(workplace_keeping_logs(name), request);
  std::cout << "  " << name << ": " << core::name_of(evaluation.verdict) << " (" << evaluation.kind << ") "
            << evaluation.message << "\n    " << watch.elapsed_ms() << " ms: " << stage_text(evaluation)
            << "\n";
  for (const Check& check : evaluation.checks) {
    if (!check.dims.empty() && check.name != "large") continue;
    std::cout << "    " << check.name << ": " << static_cast<int>(check.state) << " " << check.detail << "\n";
  }
  std::cout << std::flush;
  return evaluation;
}

core::Task small_softmax(const char* dtype = "f32") {
  return task_of("softmax", dtype, {{"rows", 256}, {"cols", 1024}});
}

const Check* find(const core::Evaluation& evaluation, const std::string& name) {
  for (const Check& check : evaluation.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

/// Why compute-sanitizer's tools cannot run here; empty where they do.
std::string no_tools() {
  const auto& workplace = test_workplace().workplace;
  return workplace.run_sanitizers ? "" : workplace.no_sanitizers;
}

/// softmax over rows, a block of 256 threads each, with something added.
std::string softmax_with(const std::string& before, const std::string& workspace = "") {
  return "/*kgen\n{ " +
         (workspace.empty() ? "" : "\"workspace\": {\"w\": {\"bytes\": \"" + workspace + "\"}},\n  ") +
         "\"launches\": [ {\"kernel\": \"k\", \"grid\": [\"rows\"], \"block\": [256], \"args\": [\"x\", "
         "\"y\", \"cols\"" +
         (workspace.empty() ? "" : ", \"w\"") + "]} ] }\n*/\n" +
         R"(
__device__ float total(float v, bool largest) {
  __shared__ float parts[8];
  for (int o = 16; o > 0; o /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, v, o);
    v = largest ? fmaxf(v, other) : v + other;
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = parts[0];
  for (int i = 1; i < 8; ++i) v = largest ? fmaxf(v, parts[i]) : v + parts[i];
  __syncthreads();
  return v;
}
__global__ void k(const x_t* x, y_t* y, long long cols)" +
         (workspace.empty() ? "" : ", unsigned* w") + R"() {
  const x_t* row = x + blockIdx.x * cols;
  bool never = false;
)" + before +
         R"(
  float m = -INFINITY, s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256) m = fmaxf(m, float(row[c]));
  m = total(m, true);
  for (long long c = threadIdx.x; c < cols; c += 256) s += expf(float(row[c]) - m);
  s = total(s, false);
  for (long long c = threadIdx.x; c < cols; c += 256)
    y[blockIdx.x * cols + c] = y_t(never ? 7.0f : expf(float(row[c]) - m) / s);
}
)";
}

TEST(PromotionGpu, AGoodKernelPassesEveryCheckWithinTwentySeconds) {
  const auto task = task_of("softmax", "bf16", {{"rows", 8192}, {"cols", 8192}});
  (void)test_workplace();  // a worker opens its own once, before any evaluation
  const util::Stopwatch watch;
  const auto evaluation = promote("good", task, source_file("reference_ops/softmax/kernels/any_cols.cu"));
  EXPECT_EQ(evaluation.verdict, Verdict::correct) << evaluation.message;
  EXPECT_LT(watch.elapsed_s(), 16) << "timing takes up to 4 s more";
  for (const char* name : {"made_shapes", "soak", "large"}) {
    ASSERT_NE(find(evaluation, name), nullptr) << name;
    EXPECT_EQ(find(evaluation, name)->state, Check::State::passed)
        << name << ": " << find(evaluation, name)->detail;
  }
  for (const char* tool : {"memcheck", "initcheck", "racecheck", "synccheck"}) {
    ASSERT_NE(find(evaluation, tool), nullptr) << tool;
    EXPECT_EQ(find(evaluation, tool)->state,
              no_tools().empty() ? Check::State::passed : Check::State::skipped)
        << tool << ": " << find(evaluation, tool)->detail;
  }
}

TEST(PromotionGpu, TheBaseOfTheDefectiveKernelsIsGood) {
  EXPECT_EQ(promote("base", small_softmax(), softmax_with("")).verdict, Verdict::correct);
}

TEST(PromotionGpu, MoreThanTwoToThe31ElementsShowShortIndices) {
  const auto evaluation = promote("index", small_softmax("bf16"),
                                  source_file("tests/adversarial/kernels/softmax/index_overflow_32_bit.cu"));
  const Check* large = find(evaluation, "large");
  if (large != nullptr && large->state == Check::State::skipped) GTEST_SKIP() << large->detail;
  EXPECT_NE(evaluation.verdict, Verdict::correct);
}

TEST(PromotionGpu, MadeShapesFindWhatRequiresHides) {
  const auto evaluation =
      promote("requires", small_softmax("f16"),
              source_file("tests/adversarial/kernels/softmax/requires_hides_a_defect.cu"));
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
}

TEST(PromotionGpu, BackToBackLaunchesShowAFlagInSharedMemory) {
  const auto evaluation =
      promote("flag", small_softmax("bf16"),
              source_file("tests/adversarial/kernels/softmax/flag_left_in_shared_memory.cu"));
  EXPECT_NE(evaluation.verdict, Verdict::correct);
}

TEST(PromotionGpu, ScrubbedSharedMemoryShowsAReadOfNothing) {
  const auto evaluation =
      promote("zero", small_softmax("bf16"),
              source_file("tests/adversarial/kernels/softmax/uninitialised_shared_zero.cu"));
  EXPECT_EQ(evaluation.verdict, Verdict::wrong_result);
}

TEST(PromotionGpu, MemcheckFindsAReadThatMattersToNobody) {
  if (!no_tools().empty()) GTEST_SKIP() << no_tools();
  const auto evaluation = promote(
      "over_read", small_softmax(),
      softmax_with(
          "  if (blockIdx.x + 1 == gridDim.x) never = __float_as_uint(float(row[cols])) == 0x12345u;"));
  EXPECT_EQ(evaluation.verdict, Verdict::out_of_bounds);
  EXPECT_EQ(evaluation.kind, "over_read");
  EXPECT_NE(evaluation.message.find("at line "), std::string::npos);
}

TEST(PromotionGpu, InitcheckFindsAReadOfAWorkspaceThatNothingWrote) {
  if (!no_tools().empty()) GTEST_SKIP() << no_tools();
  const auto evaluation = promote("uninitialised", small_softmax(),
                                  softmax_with("  never = w[threadIdx.x] == 0x12345u;", "1024"));
  EXPECT_EQ(evaluation.verdict, Verdict::uninitialised_read);
}

TEST(PromotionGpu, RacecheckFindsARaceThatMattersToNobody) {
  if (!no_tools().empty()) GTEST_SKIP() << no_tools();
  const auto evaluation =
      promote("race", small_softmax(),
              softmax_with("  __shared__ float racy[256];\n  racy[threadIdx.x] = 1.0f;\n"
                           "  never = racy[(threadIdx.x + 32) % 256] == 3.0f;\n  __syncthreads();"));
  EXPECT_EQ(evaluation.verdict, Verdict::race);
}

TEST(PromotionGpu, SynccheckFindsADivergentBarrier) {
  if (!no_tools().empty()) GTEST_SKIP() << no_tools();
  const auto evaluation = promote("barrier", small_softmax("bf16"),
                                  source_file("tests/adversarial/kernels/softmax/divergent_barrier.cu"));
  EXPECT_NE(evaluation.verdict, Verdict::correct);
}

}  // namespace
}  // namespace kgen::judge
