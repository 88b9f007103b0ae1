#include "harness/judge/shared/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/evaluation.hpp"
#include "harness/judge/host_kernels.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/rules.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

core::Task softmax_task(std::int64_t rows, std::int64_t cols, const char* dtype) {
  const auto op = reference_ops::find_builtin_op("softmax").value();
  return core::make_task(op, dtype, {{"rows", rows}, {"cols", cols}}, {}).value();
}

ToleranceParams softmax_params(std::int64_t cols, const char* dtype, const char* distribution = "normal") {
  const core::Task task = softmax_task(4, cols, dtype);
  for (const auto& d : task.op->distributions) {
    if (d.name == distribution) return tolerance_params(task, core::tensors_of(task).value()[1], d).value();
  }
  throw std::logic_error("no such distribution");
}

TEST(Tolerance, IsOneRoundingOfTheOutputPlusWhatTheAccumulatorLoses) {
  const ToleranceParams p = softmax_params(1024, "bf16");
  EXPECT_EQ(p.u_out, 0x1p-8);
  EXPECT_EQ(p.u_acc, 0x1p-24);
  EXPECT_EQ(p.growth, 4 * 32.0);
  const double e = 0.001, scale = 0.004;
  const double inner = 0x1p-24 * (p.steps * scale + 128 * e);
  EXPECT_NEAR(allowed_error(p, e, scale), inner + 0x1p-8 * (e + inner), 1e-15);
}

TEST(Tolerance, GrowsWithTheRootOfTheLengthAndNeverBeyondIt) {
  EXPECT_EQ(growth_of(1), 0);
  EXPECT_EQ(growth_of(4), 4);
  EXPECT_EQ(growth_of(16), 16);
  EXPECT_EQ(growth_of(10000), 400);
}

TEST(Tolerance, GrantsMoreWhereIndicesChooseTheTermsFromFewRows) {
  EXPECT_EQ(growth_of(10000, 1), 10000);  // one term, again and again: the worst case
  EXPECT_EQ(growth_of(10000, 100), 1000);
  EXPECT_EQ(growth_of(10000, 625), 400);  // from here on no more than for terms that differ
  EXPECT_EQ(growth_of(10000, 100000), 400);
  EXPECT_EQ(growth_of(1, 1), 0);
  const auto growth_at = [](const char* name, const core::Dims& dims, const core::Attributes& attributes) {
    const auto op = reference_ops::find_builtin_op(name).value();
    const core::Task task = core::make_task(op, "f32", dims, attributes).value();
    return tolerance_params(task, core::tensors_of(task).value().back(), op->distributions.front())
        .value()
        .growth;
  };
  EXPECT_EQ(growth_at("moe_combine", {{"rows", 4}, {"tokens", 3}, {"width", 8}}, {{"k", 1024}}), 512);
  EXPECT_EQ(growth_at("moe_combine", {{"rows", 64}, {"tokens", 3}, {"width", 8}}, {{"k", 1024}}), 128);
  // The ends of groups choose no terms.
  EXPECT_EQ(growth_at("grouped_gemm", {{"rows", 1}, {"groups", 1}, {"N", 8}, {"K", 1024}}, {}), 128);
}

TEST(Tolerance, GrantsTensorCoresWhatTheyCutOffInProportionToTheResult) {
  const auto at = [](const char* dtype) {
    const auto op = reference_ops::find_builtin_op("matmul").value();
    const core::Task task = core::make_task(op, dtype, {{"M", 8}, {"N", 16}, {"K", 16384}}, {}).value();
    return tolerance_params(task, core::tensors_of(task).value()[2], op->distributions.front()).value();
  };
  EXPECT_EQ(at("f32").value_steps, 0);
  EXPECT_EQ(at("f16").value_steps, 2048);
  EXPECT_EQ(at("tf32").value_steps, 4096);
  const ToleranceParams p = at("f16");
  EXPECT_NEAR(allowed_error(p, 2.0, 0.0) - allowed_error(p, 1.0, 0.0),
              p.u_out + 2048 * 0x1p-24 * (1 + p.u_out), 1e-9);
}

TEST(Tolerance, AllowsFlushedSubnormalsInF32AndNoneInF16) {
  EXPECT_EQ(absolute_floor(core::DType::f32, core::DType::f32), 0x1p-125);
  EXPECT_LT(absolute_floor(core::DType::f16, core::DType::f32), 0x1.01p-25);
  EXPECT_GE(absolute_floor(core::DType::f16, core::DType::f32), 0x1p-25);
}

TEST(Tolerance, RejectsZerosForAWideRowInF16) {
  const ToleranceParams p = softmax_params(65537, "f16");
  const double e = 1.0 / 65537;
  EXPECT_GT(error_ratio(p, 0.0, e, e), 1.0);
  EXPECT_LE(error_ratio(p, decode(kF16, encode(kF16, e)), e, e), 1.0);
}

TEST(Tolerance, AScaleThatIsNoNumberAllowsNoMoreThanTheValueItself) {
  const ToleranceParams p = softmax_params(128, "f32");
  for (const double scale : {std::nan(""), HUGE_VAL}) {  // -Inf + 1 under relu: 0, with |a| + |b| infinite
    EXPECT_EQ(error_ratio(p, 0.0, 0.0, scale), 0.0);
    EXPECT_GT(error_ratio(p, 1.0, 0.0, scale), 1.0);
    EXPECT_GT(error_ratio(p, HUGE_VAL, 0.0, scale), 1.0);
    EXPECT_GT(error_ratio(p, std::nan(""), 0.0, scale), 1.0);
  }
}

TEST(Tolerance, AcceptsEveryCorrectlyRoundedResult) {
  for (const char* dtype : {"f32", "f16", "bf16"}) {
    const ToleranceParams p = softmax_params(128, dtype);
    for (int exponent = -40; exponent <= 0; ++exponent) {
      const double e = std::ldexp(1.2345678901, exponent);
      EXPECT_LE(error_ratio(p, decode(p.dtype, encode(p.dtype, e)), e, e), 1.0) << dtype << exponent;
    }
  }
}

TEST(Tolerance, AWholeNumberWithAToleranceMayBeEitherNeighbourOfAHalfAndNoOther) {
  core::Op op = *reference_ops::find_builtin_op("quantise_int8").value();
  const auto task = core::make_task(std::make_shared<const core::Op>(op), "f32", {}, {}).value();
  const auto tensors = core::tensors_of(task).value();
  const auto q = std::find_if(tensors.begin(), tensors.end(), [](const auto& t) { return t.name == "q"; });
  ASSERT_NE(q, tensors.end());
  core::Distribution distribution;
  ToleranceParams p = tolerance_params(task, *q, distribution).value();
  EXPECT_LE(error_ratio(p, 3, 3.4, 3.4), 1.0);
  for (const double either : {3.0, 4.0}) EXPECT_LE(error_ratio(p, either, 3.5 - 1e-7, 3.5), 1.0) << either;
  EXPECT_GT(error_ratio(p, 4, 3.4, 3.4), 1.0);
  EXPECT_GT(error_ratio(p, 2, 3.4, 3.4), 1.0);
  EXPECT_GT(error_ratio(p, 5, 4, 4), 1.0);
  distribution.compare_equal = true;
  p = tolerance_params(task, *q, distribution).value();
  EXPECT_EQ(error_ratio(p, 4, 3.5, 3.5), 0.0);  // half to even
  EXPECT_GT(error_ratio(p, 3, 3.5, 3.5), 1.0);
}

TEST(Tolerance, OverflowBeginsHalfASpacingAboveTheLargestValue) {
  ToleranceParams p;
  p.exact = 1;
  p.overflow_either = 1;
  for (const auto& [dtype, largest, half] :
       {std::tuple{kF8e5m2, 57344.0, 4096.0}, {kF16, 65504.0, 16.0}, {kBf16, 0x1.fep127, 0x1p119}}) {
    p.dtype = dtype;
    for (const double got : {largest, kInf})
      EXPECT_EQ(error_ratio(p, got, largest + 1.01 * half, 0), 0.0) << dtype;
    EXPECT_EQ(error_ratio(p, largest, largest + 0.99 * half, 0), 0.0) << dtype;
    EXPECT_GT(error_ratio(p, kInf, largest + 0.99 * half, 0), 1.0) << dtype;
  }
}

TEST(Tolerance, EightBitTypesMayHaveTheirLargestValueInPlaceOfInfinityAndE4m3NaN) {
  ToleranceParams p;
  p.dtype = kF8e4m3;
  p.propagate = 1;
  p.overflow_either = 1;
  for (const double right : {kNaN, -448.0}) EXPECT_EQ(error_ratio(p, right, -kInf, kInf), 0.0) << right;
  for (const double wrong : {448.0, 0.0, -416.0}) EXPECT_GT(error_ratio(p, wrong, -kInf, kInf), 1.0) << wrong;
  p.overflow_either = 0;
  EXPECT_GT(error_ratio(p, -448.0, -kInf, kInf), 1.0);
  p.dtype = kF8e5m2;
  EXPECT_GT(error_ratio(p, kNaN, -kInf, kInf), 1.0);
  EXPECT_GT(error_ratio(p, -57344.0, -kInf, kInf), 1.0);
  p.overflow_either = 1;
  for (const double right : {-kInf, -57344.0}) EXPECT_EQ(error_ratio(p, right, -kInf, kInf), 0.0) << right;
  p.dtype = kF16;
  EXPECT_GT(error_ratio(p, -65504.0, -kInf, kInf), 1.0);
}

TEST(Tolerance, WantsNaNWhereTheReferenceHasOneAndNowhereElse) {
  ToleranceParams p = softmax_params(128, "f32");
  EXPECT_EQ(error_ratio(p, kNaN, kNaN, kNaN), 0.0);
  EXPECT_GT(error_ratio(p, 0.0, kNaN, 0.0), 1.0);
  EXPECT_GT(error_ratio(p, kNaN, 0.5, 0.5), 1.0);
  EXPECT_GT(error_ratio(p, kInf, 0.5, 0.5), 1.0);
  EXPECT_EQ(error_ratio(p, -kInf, -kInf, kInf), 0.0);
  EXPECT_GT(error_ratio(p, kInf, -kInf, kInf), 1.0);
  p.propagate = 0;
  EXPECT_EQ(error_ratio(p, 0.0, kNaN, 0.0), 0.0);
  EXPECT_GT(error_ratio(p, kNaN, 0.5, 0.5), 1.0);
}

TEST(Tolerance, AcceptsInfinityAndTheLargestValueAtTheEdgeOfOverflow) {
  ToleranceParams p;
  p.dtype = kF16;
  p.u_out = 0x1p-11;
  p.u_acc = 0x1p-24;
  p.overflow_either = 1;
  for (const double got : {65504.0, kInf}) EXPECT_LE(error_ratio(p, got, 65530.0, 65530.0), 1.0);
  EXPECT_EQ(error_ratio(p, kInf, 1e6, 1e6), 0.0);
  EXPECT_EQ(error_ratio(p, 65504.0, 1e6, 1e6), 0.0);
  EXPECT_GT(error_ratio(p, -kInf, 1e6, 1e6), 1.0);
  EXPECT_GT(error_ratio(p, kInf, 60000.0, 60000.0), 1.0);
  p.overflow_either = 0;
  EXPECT_GT(error_ratio(p, 65504.0, 1e6, 1e6), 1.0);
}

TEST(Tolerance, ComparesExactDistributionsWithTheRoundedValue) {
  const ToleranceParams p = softmax_params(128, "bf16", "one_hot");
  ASSERT_EQ(p.exact, 1);
  EXPECT_EQ(error_ratio(p, 1.0, 1.0 - 1e-9, 1.0), 0.0);
  EXPECT_EQ(error_ratio(p, -0.0, 0.0, 0.0), 0.0);
  EXPECT_GT(error_ratio(p, 1.0078125, 1.0, 1.0), 1.0);
  EXPECT_EQ(error_ratio(p, kNaN, kNaN, 1.0), 0.0);
}

TEST(Tolerance, ZerosAreEqualUnlessTheOpSaysThatTheirSignsCount) {
  ToleranceParams p;
  p.dtype = kBf16;
  p.u_out = 0x1p-8;
  p.floor = 0x1p-125;
  for (const int exact : {0, 1}) {
    p.exact = exact;
    p.signed_zeros = 0;
    for (const double e : {0.0, -0.0}) EXPECT_EQ(error_ratio(p, -e, e, 0.0), 0.0) << exact;
    p.signed_zeros = 1;
    for (const double e : {0.0, -0.0}) {
      EXPECT_EQ(error_ratio(p, -e, e, 0.0), kInfiniteRatio) << exact;
      EXPECT_EQ(error_ratio(p, e, e, 0.0), 0.0) << exact;
    }
    EXPECT_EQ(error_ratio(p, -2.0, -2.0, 2.0), 0.0);
    EXPECT_EQ(error_ratio(p, kNaN, kNaN, 0.0), 0.0);
  }
  p.exact = 0;
  EXPECT_LE(error_ratio(p, 0.0, -0x1p-126, 0.0), 1.0) << "one of the two is no zero: flushed";
  EXPECT_LE(error_ratio(p, -0x1p-126, 0.0, 0.0), 1.0);
}

TEST(Tolerance, SignsOfZerosCountWhereBitsAreMoved) {
  for (const auto& [name, output, is_signed] : {std::tuple{"transpose", "y", 1},
                                                {"concat", "y", 1},
                                                {"embedding", "y", 1},
                                                {"moe_permute", "y", 1},
                                                {"moe_unpermute", "y", 1},
                                                {"moe_combine", "y", 0},
                                                {"max", "y", 0},
                                                {"cast", "y", 0}}) {
    const auto op = reference_ops::find_builtin_op(name).value();
    const core::Task task = core::make_task(op, "bf16", {}, {}).value();
    const auto tensors = core::tensors_of(task).value();
    for (const auto& tensor : tensors) {
      if (tensor.name != output) continue;
      EXPECT_EQ(tolerance_params(task, tensor, op->distributions.front()).value().signed_zeros, is_signed)
          << name;
    }
  }
}

/// Zeros of either sign among what the op's CPU reference expects, over all distributions.
std::pair<int, int> expected_zeros(const core::Task& task, const std::string& output) {
  std::pair<int, int> found;
  const auto tensors = core::tensors_of(task).value();
  for (const auto& distribution : task.op->distributions) {
    const auto expected = expected_on_host(task, tensors, {&distribution, 5}).value();
    for (const auto& out : expected) {
      if (out.name != output) continue;
      for (const double e : out.values) {
        if (e == 0) ++(std::signbit(e) ? found.first : found.second);
      }
    }
  }
  return found;
}

TEST(Tolerance, WhereSignsOfZerosCountZerosOfBothAreExpected) {
  const auto ops = reference_ops::builtin_ops();
  for (const core::Op& op : *ops) {
    for (const auto& [output, rule] : op.tolerances) {
      for (const core::DType dtype : op.dtypes) {
        if (!rule.signed_zeros) continue;
        const auto task =
            core::make_task(std::make_shared<const core::Op>(op), core::name_of(dtype), op.emulator_dims, {});
        const auto [minus, plus] = expected_zeros(*task, output);
        EXPECT_GT(minus, 100) << core::describe(*task);
        EXPECT_GT(plus, 100) << core::describe(*task);
      }
    }
  }
}

TEST(Compare, CountsZerosOfTheWrongSignWhereTheyCount) {
  ToleranceParams p;
  p.dtype = kF32;
  p.exact = 1;
  const std::vector<float> got = {0.0f, 0.0f, -0.0f, 1.0f};
  const std::vector<double> expected = {0.0, -0.0, 0.0, 1.0};
  const auto compare = [&] {
    return compare_on_host(reinterpret_cast<const std::byte*>(got.data()), expected, {}, p);
  };
  EXPECT_EQ(compare().wrong, 0);
  p.signed_zeros = 1;
  EXPECT_EQ(compare().wrong, 2);
  EXPECT_EQ(compare().first_wrong, 1);
}

TEST(Compare, CountsTheWrongAndFindsTheFirst) {
  ToleranceParams p;
  p.dtype = kF32;
  p.u_out = 0x1p-24;
  std::vector<float> got(100000, 1.0f);
  const std::vector<double> expected(100000, 1.0);
  got[70000] = 1.5f;
  got[70001] = std::numeric_limits<float>::quiet_NaN();
  const auto count = compare_on_host(reinterpret_cast<const std::byte*>(got.data()), expected, {}, p);
  EXPECT_EQ(count.wrong, 2);
  EXPECT_EQ(count.first_wrong, 70000);
  EXPECT_EQ(count.worst_ratio, kInfiniteRatio);
  EXPECT_EQ(kInfiniteRatio, core::kInfiniteRatio) << "what reports take for it";
}

TEST(CaseSeed, DiffersByShapeDistributionAndExecution) {
  const auto seed = case_seed(1, "n=4", "normal", 0);
  EXPECT_NE(seed, case_seed(2, "n=4", "normal", 0));
  EXPECT_NE(seed, case_seed(1, "n=5", "normal", 0));
  EXPECT_NE(seed, case_seed(1, "n=4", "large", 0));
  EXPECT_NE(seed, case_seed(1, "n=4", "normal", 1));
}

}  // namespace
}  // namespace kgen::judge
