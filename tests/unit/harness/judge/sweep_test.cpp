#include "harness/judge/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "host_device.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

using core::Verdict;
using run::RunFailure;

// Each variant is seen by the fake kernel in its block: THREADS threads.
constexpr const char* kTunableSource = R"(/*kgen
{ "tunables": {"THREADS": [64, 128, 256, 512]},
  "workspace": {"scratch": {"bytes": "THREADS >= 256 ? 1024 : 0"}},
  "launches": [ {"kernel": "k", "grid": ["rows"], "block": ["THREADS"], "args": ["x", "y", "cols", "scratch"]} ] }
*/
__global__ void k(const x_t* x, y_t* y, long long cols, void* scratch) {}
)";

struct SweepTest : testing::Test {
  SweepTest() : device([this](const FakeLaunch& launch) { return run(launch); }) {}

  compile::CompileResult compile(const compile::CompileRequest& request) {
    compile::CompileResult result;
    const std::int64_t threads = request.macros.at(0).second;
    if (uncompilable.contains(threads)) {
      result.failure = compile::CompileFailure::compile_error;
      result.message = "too many threads";
      return result;
    }
    result.ok = true;
    result.cubin = "cubin";
    using Kind = core::ParameterType::Kind;
    compile::CompiledKernel kernel;
    kernel.expression = kernel.lowered_name = "k";
    kernel.parameters = {{Kind::pointer, 8, false, "f32", true, "const x_t*"},
                         {Kind::pointer, 8, false, "f32", false, "y_t*"},
                         {Kind::integer, 8, true, "", false, "long long"},
                         {Kind::pointer, 8, false, "void", false, "void*"}};
    result.kernels.push_back(std::move(kernel));
    return result;
  }

  /// A right softmax, unless its variant is wrong or faulty; sets the time that this variant takes.
  run::RunResult<void> run(const FakeLaunch& launch) {
    const auto& kernel = std::get<run::LaunchKernel>(launch.sequence->steps.front());
    const std::int64_t threads = kernel.block[0];
    launched.push_back(threads);
    device.microseconds = us.at(threads);
    if (faulty.contains(threads))
      return tl::unexpected<RunFailure>(
          RunFailure{RunFailure::Kind::fault, "illegal_address", {}, "illegal address", 0});
    if (lazy && launch.timed) return {};
    I64 cols = 0;
    std::memcpy(&cols, kernel.args.at(2).bytes.data(), sizeof(cols));
    const auto* x = reinterpret_cast<const float*>(launch.tensors.at("x"));
    auto* y = reinterpret_cast<float*>(launch.tensors.at("y"));
    for (I64 r = 0; r < kernel.grid[0]; ++r, x += cols, y += cols) {
      double largest = -INFINITY, sum = 0;
      for (I64 c = 0; c < cols; ++c) largest = std::fmax(largest, static_cast<double>(x[c]));
      for (I64 c = 0; c < cols; ++c) sum += std::exp(static_cast<double>(x[c]) - largest);
      for (I64 c = 0; c < cols; ++c)
        y[c] = static_cast<float>(std::exp(static_cast<double>(x[c]) - largest) / sum);
      if (wrong.contains(threads)) y[0] += 0.5F;
    }
    return {};
  }

  core::SweepReply sweep_all(double limit_s = 60) {
    const auto op = reference_ops::find_builtin_op("softmax").value();
    Workplace workplace;
    workplace.facts = core::facts_for_arch("sm_90a").value();
    workplace.facts.kind = kind;
    workplace.device = with_device ? &device : nullptr;
    workplace.references = {{op->name, op->hash}};
    workplace.compile_all = [&](const auto& requests) {
      std::vector<compile::CompileResult> results;
      for (const auto& request : requests) results.push_back(compile(request));
      batches.push_back(requests.size());
      return results;
    };
    core::SweepRequest request;
    request.task = core::make_task(op, "f32", {{"rows", 16}, {"cols", 200}}, {}).value();
    request.source = source;
    request.seed = 42;
    request.variants = variants;
    request.limit_s = limit_s;
    auto reply = sweep(workplace, request, [&](const core::Stage& stage) { stages.push_back(stage.name); });
    EXPECT_TRUE(reply) << reply.error().text();
    return reply.value_or(core::SweepReply{});
  }

  static const core::SweptVariant& of(const core::SweepReply& reply, std::int64_t threads) {
    return *std::find_if(reply.variants.begin(), reply.variants.end(),
                         [&](const auto& v) { return v.variant.at("THREADS") == threads; });
  }

  HostDevice device;
  std::string source = kTunableSource;
  std::vector<core::Variant> variants{
      {{"THREADS", 64}}, {{"THREADS", 512}}, {{"THREADS", 128}}, {{"THREADS", 256}}};
  std::map<std::int64_t, double> us{{64, 100}, {128, 60}, {256, 80}, {512, 300}};
  std::set<std::int64_t> wrong, faulty, uncompilable;
  core::DeviceKind kind = core::DeviceKind::cuda;
  bool with_device = true, lazy = false;
  std::vector<std::int64_t> launched;
  std::vector<std::size_t> batches;
  std::vector<std::string> stages;
};

TEST_F(SweepTest, TimesEveryVariantInTheOrderAsked) {
  const auto reply = sweep_all();
  ASSERT_EQ(reply.variants.size(), 4u);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    EXPECT_EQ(reply.variants[i].variant, variants[i]);
    EXPECT_EQ(reply.variants[i].verdict, Verdict::correct) << reply.variants[i].message;
  }
  EXPECT_EQ(of(reply, 128).time->median_us, 60);
  EXPECT_EQ(of(reply, 64).time->median_us, 100);
  EXPECT_EQ(reply.not_tried, 0);
  EXPECT_EQ(reply.method, "stream");
  EXPECT_EQ(batches, std::vector<std::size_t>{4}) << "all compiled in one go";
  EXPECT_EQ(stages.back(), "variant THREADS=256");
}

TEST_F(SweepTest, StopsHopelessOnesEarly) {
  const auto reply = sweep_all();
  EXPECT_TRUE(of(reply, 512).stopped_early);
  EXPECT_FALSE(of(reply, 64).stopped_early);
  EXPECT_FALSE(of(reply, 128).stopped_early);
  EXPECT_TRUE(of(reply, 256).stopped_early) << "128 was faster before it";
  EXPECT_LT(of(reply, 512).time->samples, 16);
}

TEST_F(SweepTest, AWrongVariantIsRejectedAndTheOthersGoOn) {
  wrong = {128};
  const auto reply = sweep_all();
  EXPECT_EQ(of(reply, 128).verdict, Verdict::wrong_result);
  EXPECT_FALSE(of(reply, 128).time);
  EXPECT_FALSE(of(reply, 128).message.empty());
  EXPECT_EQ(of(reply, 256).verdict, Verdict::correct) << of(reply, 256).message;
  EXPECT_FALSE(of(reply, 256).stopped_early) << "what is wrong is no measure for the others";
}

TEST_F(SweepTest, AFaultCostsItsVariantAlone) {
  faulty = {512};
  const auto reply = sweep_all();
  EXPECT_EQ(of(reply, 512).verdict, Verdict::fault);
  EXPECT_EQ(of(reply, 128).verdict, Verdict::correct) << of(reply, 128).message;
  EXPECT_EQ(of(reply, 256).verdict, Verdict::correct) << of(reply, 256).message;
}

TEST_F(SweepTest, AVariantThatDoesNotCompileIsNotRun) {
  uncompilable = {64};
  const auto reply = sweep_all();
  EXPECT_EQ(of(reply, 64).verdict, Verdict::compile_error);
  EXPECT_EQ(std::count(launched.begin(), launched.end(), 64), 0);
  EXPECT_EQ(of(reply, 128).verdict, Verdict::correct);
}

TEST_F(SweepTest, AValueThatThePlanDoesNotListIsAPlanProblem) {
  variants = {{{"THREADS", 64}}, {{"THREADS", 96}}};
  const auto reply = sweep_all();
  EXPECT_EQ(reply.variants[0].verdict, Verdict::correct) << reply.variants[0].message;
  EXPECT_EQ(reply.variants[1].verdict, Verdict::plan_invalid);
}

TEST_F(SweepTest, BeginsNothingWhenItsTimeIsUp) {
  const auto reply = sweep_all(-1);
  EXPECT_TRUE(reply.variants.empty());
  EXPECT_EQ(reply.not_tried, 4);
}

TEST_F(SweepTest, OnTheEmulatorItChecksAndTimesNothing) {
  kind = core::DeviceKind::emulator;
  wrong = {512};
  const auto reply = sweep_all();
  EXPECT_EQ(of(reply, 64).verdict, Verdict::correct) << of(reply, 64).message;
  EXPECT_EQ(of(reply, 512).verdict, Verdict::wrong_result);
  for (const auto& variant : reply.variants) EXPECT_FALSE(variant.time);
  EXPECT_EQ(reply.method, "");
}

TEST_F(SweepTest, WithoutADeviceItOnlyCompiles) {
  with_device = false;
  uncompilable = {256};
  const auto reply = sweep_all();
  EXPECT_EQ(of(reply, 64).verdict, Verdict::not_run);
  EXPECT_EQ(of(reply, 256).verdict, Verdict::compile_error);
  EXPECT_TRUE(launched.empty());
}

TEST_F(SweepTest, AKernelThatDoesLessWhenTimedIsFound) {
  lazy = true;
  const auto reply = sweep_all();
  for (const auto& variant : reply.variants) {
    EXPECT_EQ(variant.verdict, Verdict::wrong_result);
    EXPECT_EQ(variant.kind, "timed_launch");
  }
}

}  // namespace
}  // namespace kgen::judge
