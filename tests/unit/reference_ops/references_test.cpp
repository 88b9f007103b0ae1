#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "reference_ops/builtin_ops.hpp"
#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {
namespace {

core::Task task(const char* name, const core::Dims& dims) {
  return *core::make_task(*find_builtin_op(name), "f32", dims, {});
}

TEST(References, EveryBuiltInOpHasOne) {
  const auto ops = builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  for (const auto& op : *ops) EXPECT_NE(find_reference(op.name), nullptr) << op.name;
}

TEST(References, SoftmaxRowsAddUpToOneAndSpecialsPropagate) {
  const auto t = task("softmax", {{"rows", 3}, {"cols", 4}});
  const double inf = INFINITY;
  const std::vector<double> x = {1, 2, 3, 300, 0, NAN, 0, 0, -inf, 0, 0, -inf};
  std::vector<double> y(12), scale(12);
  ASSERT_TRUE(find_reference("softmax")->function({&t, {{"x", x}}, {{"y", y}}, {{"y", scale}}, 2}));
  EXPECT_DOUBLE_EQ(y[0] + y[1] + y[2] + y[3], 1.0);
  EXPECT_NEAR(y[2] / y[3], std::exp(-297.0), 1e-140);
  for (int c = 4; c < 8; ++c) EXPECT_TRUE(std::isnan(y[static_cast<std::size_t>(c)]));
  EXPECT_EQ(y[8], 0.0);
  EXPECT_EQ(y[9], 0.5);
}

TEST(References, AddReluKeepsNanAndCutsNegatives) {
  const auto t = task("add_relu", {{"n", 3}});
  const std::vector<double> a = {1, -3, NAN}, b = {2, 1, 1};
  std::vector<double> y(3), scale(3);
  ASSERT_TRUE(
      find_reference("add_relu")->function({&t, {{"a", a}, {"b", b}}, {{"y", y}}, {{"y", scale}}, 4}));
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(y[1], 0);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(scale[1], 4);
}

TEST(References, RmsNormDividesByTheRootOfTheMeanSquare) {
  const auto t =
      *core::make_task(*find_builtin_op("rms_norm"), "f32", {{"rows", 2}, {"cols", 2}}, {{"eps", 0.5}});
  const std::vector<double> x = {1, 2, 0, 0}, w = {1, -2};
  std::vector<double> y(4);
  ASSERT_TRUE(find_reference("rms_norm")->function({&t, {{"x", x}, {"w", w}}, {{"y", y}}, {}, 2}));
  EXPECT_DOUBLE_EQ(y[0], 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(y[1], -4 / std::sqrt(3.0));
  EXPECT_EQ(y[2], 0);
}

TEST(ParallelFor, VisitsEachIndexOnce) {
  for (const std::int64_t count : {0, 1, 7, 1000}) {
    std::atomic<std::int64_t> visits = 0, sum = 0;
    parallel_for(count, 5, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) visits += 1, sum += i;
    });
    EXPECT_EQ(visits, count);
    EXPECT_EQ(sum, count * (count - 1) / 2);
  }
}

}  // namespace
}  // namespace kgen::reference_ops
