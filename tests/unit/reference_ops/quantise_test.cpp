#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/task.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/quantise_fp8/reference.hpp"
#include "reference_ops/quantise_int8/reference.hpp"
#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {
namespace {

constexpr double kQuantiseRoundings = 4 * 0x1p-24;  ///< granted of the scale, as both ops' tolerances say

struct QuantiseOp {
  const char* op;
  ReferenceFunction reference;
  float largest;  ///< of the quantised
};

class Quantise : public testing::TestWithParam<QuantiseOp> {};

struct QuantisedRows {
  std::vector<double> x, q, s, scale;
};

/// What the reference says of rows of two values, which have f32's precision.
QuantisedRows judged(const QuantiseOp& of, std::int64_t rows, double stddev) {
  const auto elements = static_cast<std::size_t>(2 * rows);
  QuantisedRows out{std::vector<double>(elements), std::vector<double>(elements),
                    std::vector<double>(static_cast<std::size_t>(rows)), std::vector<double>(elements)};
  std::mt19937_64 random(20261127);
  std::normal_distribution<double> normal(0.0, stddev);
  for (double& value : out.x) value = static_cast<float>(normal(random));
  const core::Task task =
      core::make_task(find_builtin_op(of.op).value(), "f32", {{"rows", rows}, {"cols", 2}}, {}).value();
  ReferenceCall call;
  call.task = &task;
  call.inputs = {{"x", out.x}};
  call.expected = {{"q", out.q}, {"s", out.s}};
  call.scale = {{"q", out.scale}};
  EXPECT_TRUE(of.reference(call));
  return out;
}

/// The ops' own formula in f32: s = largest / 127, q = x / s, before q is rounded.
std::vector<double> in_plain_f32(const QuantisedRows& rows, float largest) {
  std::vector<double> q(rows.x.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto first = static_cast<float>(rows.x[i / 2 * 2]),
               second = static_cast<float>(rows.x[i / 2 * 2 + 1]);
    const float s = std::fmax(std::fabs(first), std::fabs(second)) / largest;
    q[i] = static_cast<float>(rows.x[i]) / s;
  }
  return q;
}

// A subnormal s errs by 2^-150, which is more than 4 roundings of it.
TEST_P(Quantise, GrantsWhatASubnormalScaleErrsBy) {
  const QuantisedRows rows = judged(GetParam(), 4096, 1e-37);
  const auto q = in_plain_f32(rows, GetParam().largest);
  int beyond_roundings = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double error = std::fabs(q[i] - rows.q[i]);
    EXPECT_LE(error, kQuantiseRoundings * rows.scale[i]) << rows.x[i];
    beyond_roundings += error > kQuantiseRoundings * std::fabs(rows.q[i]) ? 1 : 0;
  }
  EXPECT_GT(beyond_roundings, 100);
}

// A subnormal x may be flushed to 0, and a normal one may not.
TEST_P(Quantise, GrantsAllOfWhatMayBeFlushed) {
  const QuantisedRows rows = judged(GetParam(), 4096, 1e-37);
  int subnormal = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    const bool may_be_flushed = std::fabs(rows.x[i]) < 0x1p-126;
    subnormal += may_be_flushed ? 1 : 0;
    EXPECT_EQ(kQuantiseRoundings * rows.scale[i] >= std::fabs(rows.q[i]), may_be_flushed) << rows.x[i];
  }
  EXPECT_GT(subnormal, 100);
}

TEST_P(Quantise, GrantsRoundingsAloneOfNormalNumbers) {
  const QuantisedRows rows = judged(GetParam(), 512, 1.0);
  for (std::size_t i = 0; i < rows.x.size(); ++i) EXPECT_DOUBLE_EQ(rows.scale[i], std::fabs(rows.q[i]));
}

INSTANTIATE_TEST_SUITE_P(All, Quantise,
                         testing::Values(QuantiseOp{"quantise_int8", quantise_int8, 127.0f},
                                         QuantiseOp{"quantise_fp8", quantise_fp8, 448.0f}),
                         [](const auto& tested) { return std::string(tested.param.op); });

}  // namespace
}  // namespace kgen::reference_ops
