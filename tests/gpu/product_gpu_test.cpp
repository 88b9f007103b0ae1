#include <gtest/gtest.h>

#include <iostream>

#include "harness/judge/cuda_product.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "judge_workplace.hpp"
#include "reference_ops/builtin_ops.hpp"

// cuBLAS as oracle and cuBLASLt as baseline of matrix products.
namespace kgen::judge {
namespace {

constexpr const char* kDtypes[] = {"f32", "tf32", "f16", "bf16"};

core::Task matmul(const char* dtype, const core::Dims& dims, int transposes) {
  return core::make_task(reference_ops::find_builtin_op("matmul").value(), dtype, dims,
                         {{"trans_a", transposes & 1}, {"trans_b", transposes >> 1}})
      .value();
}

struct ProductGpu : testing::Test {
  ~ProductGpu() override { device().drop_sets(); }
  static CudaDevice& device() { return dynamic_cast<CudaDevice&>(*test_workplace().device); }

  static int filled_set(const core::Task& task, const InputCase& input) {
    ShapeCase shape;
    shape.task = task;
    shape.tensors = core::tensors_of(task).value();
    const int set = device().make_set(buffers_of(shape)).value();
    EXPECT_TRUE(fill_inputs(device(), set, shape.tensors, input));
    EXPECT_TRUE(device().hash(set, BufferUse::input, 0));  // which waits for the fills
    return set;
  }
  static core::GemmShape shape_of(const core::Task& task) { return **core::gemm_of(task); }
};

/// Sums of the same products in another order: equal up to fp64's own error, NaN and infinities alike.
void expect_close(const std::vector<double>& got, const std::vector<double>& want,
                  const std::vector<double>& scale, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool same = got[i] == want[i] || (is_nan(got[i]) && is_nan(want[i]));
    ASSERT_TRUE(same || absolute(got[i] - want[i]) <= 1e-12 * absolute(scale[i]))
        << what << " at " << i << ": " << got[i] << ", expected " << want[i];
  }
}

TEST_F(ProductGpu, BothOraclesAgreeWithTheCpuInEveryDtypeTransposeAndDistribution) {
  for (const char* dtype : kDtypes) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      const auto task = matmul(dtype, {{"B", 2}, {"M", 33}, {"N", 40}, {"K", 130}}, transposes);
      const auto tensors = core::tensors_of(task).value();
      const auto naive =
          oracle_program(task, test_workplace().workplace.facts, test_workplace().workplace.compile_all);
      ASSERT_TRUE(naive) << naive.error().text();
      for (const auto& distribution : task.op->distributions) {
        const std::string what =
            core::describe(task) + " " + std::to_string(transposes) + " " + distribution.name;
        const InputCase input{&distribution, 23};
        const int set = filled_set(task, input);
        const auto want = expected_on_host(task, tensors, input).value();
        for (const bool library : {true, false}) {
          if (library) {
            const auto made = device().expect_product(set, shape_of(task), true);
            ASSERT_TRUE(made) << made.error().text();
            ASSERT_TRUE(*made) << "cuBLAS was not used";
          } else {
            ASSERT_TRUE(device().compute_expected(set, *naive));
          }
          const auto got = device().read_expected(set, "c", 0, tensors.back().elements).value();
          expect_close(got.values, want[0].values, want[0].scale, what);
          expect_close(got.scale, want[0].scale, want[0].scale, what + " scale");
          device().drop_expected(set);
        }
        device().drop_sets();
      }
    }
  }
}

TEST_F(ProductGpu, CublasLtIsRightInEveryDtypeAndTranspose) {
  for (const char* dtype : kDtypes) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      for (const std::int64_t batch : {1, 3}) {
        const auto task = matmul(dtype, {{"B", batch}, {"M", 256}, {"N", 96}, {"K", 520}}, transposes);
        const auto tensors = core::tensors_of(task).value();
        for (const auto& distribution : task.op->distributions) {
          if (!distribution.screen) continue;
          const int set = filled_set(task, {&distribution, 5});
          auto product = device().library_product(shape_of(task), {set});
          ASSERT_TRUE(product) << product.error().text();
          ASSERT_TRUE(dynamic_cast<CudaProduct&>(**product).run_once(set));
          ASSERT_TRUE(device().expect_product(set, shape_of(task), true).value());
          const auto tolerance = tolerance_params(task, tensors.back(), distribution).value();
          const auto count = device().compare(set, "c", tolerance).value();
          EXPECT_EQ(count.wrong, 0) << core::describe(task) << " transposes " << transposes << " "
                                    << distribution.name << ", worst " << count.worst_ratio;
          device().drop_sets();
        }
      }
    }
  }
}

TEST_F(ProductGpu, CublasLtIsTimedOnEverySetOfABlockByEitherMethod) {
  const auto task = matmul("bf16", {{"M", 1024}, {"N", 1024}, {"K", 1024}}, 0);
  const auto& distribution = task.op->distributions.front();
  run::TimeBlock block;
  for (U64 seed = 0; seed < 3; ++seed) block.order.push_back(filled_set(task, {&distribution, seed}));
  auto product = device().library_product(shape_of(task), block.order);
  ASSERT_TRUE(product) << product.error().text();
  EXPECT_NE((*product)->description().find("algorithms"), std::string::npos);
  block.flush_bytes = 2 * test_workplace().workplace.facts.l2_bytes;
  for (const bool graph : {false, true}) {
    block.graph = graph;
    const auto times = (*product)->time(block);
    ASSERT_TRUE(times) << times.error().text();
    ASSERT_EQ(times->size(), 3u);
    for (const double us : *times) EXPECT_GT(us, 1.0);  // 2.1 GFLOP: no device takes less
  }
}

TEST_F(ProductGpu, AGoodKernelIsComparedWithCublasLt) {
  const auto task = matmul("bf16", {{"M", 4096}, {"N", 4096}, {"K", 4096}}, 0);
  const auto evaluation = judge(
      test_workplace().workplace,
      request_of(task, source_file("reference_ops/matmul/kernels/tensor_cores.cu"), core::Tier::screen));
  ASSERT_EQ(evaluation.verdict, core::Verdict::correct) << evaluation.message;
  ASSERT_TRUE(evaluation.timing);
  for (const auto& baseline : evaluation.timing->baselines) {
    if (baseline.name != "cublaslt") continue;
    EXPECT_TRUE(baseline.library);
    EXPECT_EQ(baseline.process, "judge");
    ASSERT_TRUE(baseline.time) << baseline.why_missing;
    EXPECT_LT(baseline.speedup, 1.0);
    const double tflops = 2.0 * 4096 * 4096 * 4096 / baseline.time->median_us / 1e6;
    std::cout << "cublaslt " << baseline.time->median_us << " us, " << tflops << " TFLOP/s, "
              << baseline.detail << "; screen: " << stage_text(evaluation) << std::endl;
    return;
  }
  FAIL() << "no baseline cublaslt";
}

}  // namespace
}  // namespace kgen::judge
