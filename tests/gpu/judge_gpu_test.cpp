#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "judge_workplace.hpp"
#include "support/varied_fills.hpp"
#include "util/clock.hpp"

// The judge's device code against its host twin, and whole evaluations.
namespace kgen::judge {
namespace {

OpenWorkplace& workplace() {
  return test_workplace();
}

core::Evaluation judge(const core::EvaluateRequest& request) {
  return judge(workplace().workplace, request);
}

struct JudgeGpu : testing::Test {
  ~JudgeGpu() override { workplace().device->drop_sets(); }
  ExecutionDevice& device() { return *workplace().device; }

  int make(BufferUse use, int dtype, I64 elements) {
    return device().make_set({{"t", use, dtype, elements, elements * bytes_of_code(dtype)}}).value();
  }
};

TEST_F(JudgeGpu, FillsBitForBitAsTheHost) {
  constexpr I64 kCount = 10007;
  for (const FillParams& params : support::varied_fills()) {
    const int set = make(BufferUse::input, params.dtype, kCount);
    ASSERT_TRUE(device().fill(set, "t", params));
    std::string host(static_cast<std::size_t>(kCount * bytes_of_code(params.dtype)), '\0');
    fill_on_host(reinterpret_cast<std::byte*>(host.data()), params, kCount);
    EXPECT_TRUE(device().read(set, "t", 0, kCount).value() == host)
        << "kind " << params.kind << " dtype " << params.dtype << " stride " << params.row_stride << " below "
        << params.below << " ends " << params.ends;
    EXPECT_EQ(device().hash(set, BufferUse::input, 5).value(),
              hash_on_host(reinterpret_cast<const std::byte*>(host.data()), static_cast<I64>(host.size()),
                           stream_key(5, 1)));
    device().drop_sets();
  }
}

TEST_F(JudgeGpu, ComparesAsTheHost) {
  constexpr I64 kCount = 100003;
  for (const int dtype : {kF64, kF32, kF16, kBf16, kF8e4m3, kF8e5m2}) {
    const int set = make(BufferUse::inout, dtype, kCount);
    FillParams params;
    params.kind = kSpecial;
    params.density = 0.7;
    params.dtype = dtype;
    params.key = 99;
    ASSERT_TRUE(device().fill(set, "t", params));
    ASSERT_TRUE(device().prepare(set, kNanPoison));
    const std::string got = device().read(set, "t", 0, kCount).value();
    ExpectedOutput expected{
        "t", decode_on_host(reinterpret_cast<const std::byte*>(got.data()), dtype, kCount), {}};
    for (std::size_t i = 0; i < expected.values.size(); i += 7)
      expected.values[i] *= 1.0 + 1e-3 * static_cast<double>(i % 13);
    for (std::size_t i = 0; i < expected.values.size(); i += 5)
      if (expected.values[i] == 0) expected.values[i] = -expected.values[i];
    ToleranceParams tolerance;
    tolerance.signed_zeros = 1;
    tolerance.dtype = dtype;
    tolerance.u_out = 0x1p-9;
    tolerance.propagate = 1;
    const auto host =
        compare_on_host(reinterpret_cast<const std::byte*>(got.data()), expected.values, {}, tolerance);
    ASSERT_TRUE(device().set_expected(set, {expected}));
    const auto count = device().compare(set, "t", tolerance).value();
    EXPECT_GT(count.wrong, 0);
    EXPECT_EQ(count.wrong, host.wrong) << dtype;
    EXPECT_EQ(count.worst_ratio, host.worst_ratio) << dtype;
    EXPECT_EQ(count.first_wrong, host.first_wrong) << dtype;
  }
}

TEST_F(JudgeGpu, PoisonIsInPlaceAndGuardsAreWhole) {
  const int set = make(BufferUse::output, kBf16, 12345);
  ASSERT_TRUE(device().prepare(set, kNanPoison));
  const std::string bytes = device().read(set, "t", 0, 12345).value();
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\xff'; }));
  EXPECT_FALSE(device().guard_breach(set).value().has_value());
}

TEST_F(JudgeGpu, DeviceOracleAgreesWithTheHosts) {
  const core::Task tasks[] = {task_of("softmax", "bf16", {{"rows", 37}, {"cols", 301}}),
                              task_of("softmax", "f16", {{"rows", 1}, {"cols", 1}}),
                              task_of("add_relu", "f32", {{"n", 70001}}),
                              task_of("transpose", "bf16", {{"rows", 37}, {"cols", 301}})};
  for (const auto& task : tasks) {
    const auto tensors = core::tensors_of(task).value();
    ShapeCase shape;
    shape.task = task;
    shape.tensors = tensors;
    const auto oracle = oracle_program(task, workplace().workplace.facts, workplace().workplace.compile_all);
    ASSERT_TRUE(oracle) << oracle.error().text();
    for (const auto& distribution : task.op->distributions) {
      const InputCase input{&distribution, 11};
      const int set = device().make_set(buffers_of(shape)).value();
      ASSERT_TRUE(fill_inputs(device(), set, tensors, input));
      ASSERT_TRUE(device().compute_expected(set, *oracle));
      const auto host = expected_on_host(task, tensors, input).value();
      const auto got = device().read_expected(set, "y", 0, tensors.back().elements).value();
      ASSERT_EQ(got.values.size(), host[0].values.size());
      for (std::size_t i = 0; i < got.values.size(); ++i) {
        const double e = host[0].values[i];
        ASSERT_TRUE(got.values[i] == e || (is_nan(e) && is_nan(got.values[i])) ||
                    absolute(got.values[i] - e) <= 1e-12 * absolute(e))
            << core::describe(task) << " " << distribution.name << " " << i << ": " << got.values[i] << " "
            << e;
        if (e == 0 && task.op->tolerances.at("y").signed_zeros) {
          ASSERT_TRUE(same_sign(got.values[i], e)) << distribution.name << " " << i;
        }
      }
      device().drop_sets();
    }
  }
}

TEST_F(JudgeGpu, AcceptsAndTimesAGoodKernelWithinHalfASecond) {
  const auto task = task_of("softmax", "bf16", {{"rows", 8192}, {"cols", 8192}});
  auto request =
      request_of(task, source_file("reference_ops/softmax/kernels/any_cols.cu"), core::Tier::screen);
  request.profile = false;  // has its own bound, in profile_gpu_test.cpp
  judge(request);           // warms what a first evaluation of a task starts
  const util::Stopwatch watch;
  const auto evaluation = judge(request);
  const double ms = watch.elapsed_ms();
  ASSERT_EQ(evaluation.verdict, core::Verdict::correct) << evaluation.message;
  ASSERT_TRUE(evaluation.timing);
  EXPECT_GT(evaluation.timing->candidate.median_us, evaluation.timing->plausible_floor_us);
  EXPECT_LT(ms, 500) << stage_text(evaluation);
  std::cout << "screen " << ms << " ms: " << stage_text(evaluation) << " median "
            << evaluation.timing->candidate.median_us << " us [" << evaluation.timing->candidate.low_us
            << ", " << evaluation.timing->candidate.high_us << "]" << std::endl;
}

TEST_F(JudgeGpu, PromotesAGoodKernelWithinTwentySeconds) {
  const auto task = task_of("add_relu", "f32", {{"n", 67108864}});
  const util::Stopwatch watch;
  const auto evaluation = judge(
      request_of(task, source_file("reference_ops/add_relu/kernels/vectorised.cu"), core::Tier::promotion));
  EXPECT_EQ(evaluation.verdict, core::Verdict::correct) << evaluation.message;
  EXPECT_LT(watch.elapsed_s(), 20) << stage_text(evaluation);
}

TEST_F(JudgeGpu, RejectsMutantsAtTheTasksOwnShape) {
  const auto task = task_of("softmax", "bf16", {{"rows", 8192}, {"cols", 8192}});
  const std::pair<const char*, core::Verdict> rows[] = {{"zeros", core::Verdict::wrong_result},
                                                        {"writes_before", core::Verdict::out_of_bounds},
                                                        {"changes_input", core::Verdict::input_modified},
                                                        {"remembers", core::Verdict::hidden_state}};
  for (const auto& [name, verdict] : rows) {
    const auto file = std::string("reference_ops/softmax/mutants/") + name + ".cu";
    const auto evaluation = judge(request_of(task, source_file(file), core::Tier::screen));
    EXPECT_EQ(evaluation.verdict, verdict) << name << ": " << evaluation.message;
  }
}

}  // namespace
}  // namespace kgen::judge
