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

TEST(BuiltInOps, EachIsFoundByItsFoldersName) {
  const auto ops = builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  for (const auto& op : *ops) {
    const auto found = find_builtin_op(op.name);
    ASSERT_TRUE(found) << op.name << ": " << found.error().text();
    EXPECT_EQ((*found)->hash, op.hash);
  }
  EXPECT_FALSE(find_builtin_op("no_such_op"));
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
  std::vector<double> y(4), scale(4);
  ASSERT_TRUE(
      find_reference("rms_norm")->function({&t, {{"x", x}, {"w", w}}, {{"y", y}}, {{"y", scale}}, 2}));
  EXPECT_DOUBLE_EQ(y[0], 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(y[1], -4 / std::sqrt(3.0));
  EXPECT_EQ(y[2], 0);
}

/// One batch, D = 64; a call of the reference on `task`, all inputs and outputs of which are zero to begin
/// with.
struct AttentionCase {
  core::Task task;
  std::vector<double> q, k, v, o, scale;

  AttentionCase(const core::Dims& dims, double causal)
      : task(*core::make_task(find_builtin_op("attention").value(), "bf16", dims, {{"causal", causal}})) {
    const auto tensors = core::tensors_of(task).value();
    const auto size = [&](std::size_t i) { return static_cast<std::size_t>(tensors[i].elements); };
    q.resize(size(0)), k.resize(size(1)), v.resize(size(2)), o.resize(size(3)), scale.resize(size(3));
  }
  void run() {
    ASSERT_TRUE(find_reference("attention")
                    ->function({&task, {{"q", q}, {"k", k}, {"v", v}}, {{"o", o}}, {{"o", scale}}, 3}));
  }
};

TEST(References, AttentionWeighsValuesByTheSoftmaxOfScaledProducts) {
  AttentionCase c({{"B", 1}, {"Hq", 1}, {"Hkv", 1}, {"S", 1}, {"Skv", 2}, {"D", 64}}, 0);
  c.q[0] = 8, c.q[1] = 1;
  c.k[0] = 2, c.k[64] = 1, c.k[65] = 8;  // logits 16 / 8 and 16 / 8
  c.v[0] = 3, c.v[64] = 5, c.v[65] = 7;
  c.run();
  EXPECT_DOUBLE_EQ(c.o[0], 4);
  EXPECT_DOUBLE_EQ(c.o[1], 3.5);
  c.k[0] = 2 + std::log(3.0);
  c.run();
  EXPECT_DOUBLE_EQ(c.o[0], 3.5);
  EXPECT_GT(c.scale[0], 3.5);
}

TEST(References, AttentionAlignsTheCausalMaskWithTheLastQuery) {
  AttentionCase later({{"B", 1}, {"Hq", 1}, {"Hkv", 1}, {"S", 2}, {"Skv", 3}, {"D", 64}}, 1);
  later.v[0] = 6, later.v[64] = 12, later.v[128] = 18;
  later.run();
  EXPECT_DOUBLE_EQ(later.o[0], 9);
  EXPECT_DOUBLE_EQ(later.o[64], 12);
  AttentionCase earlier({{"B", 1}, {"Hq", 1}, {"Hkv", 1}, {"S", 2}, {"Skv", 1}, {"D", 64}}, 1);
  earlier.v[0] = 6;
  earlier.run();
  EXPECT_EQ(earlier.o[0], 0);
  EXPECT_EQ(earlier.o[64], 6);
}

TEST(References, AttentionSharesAHeadOfKeysAmongAGroupOfQueryHeads) {
  AttentionCase c({{"B", 2}, {"Hq", 4}, {"Hkv", 2}, {"S", 1}, {"Skv", 1}, {"D", 64}}, 0);
  for (std::size_t head = 0; head < 4; ++head) c.v[head * 64] = 10.0 + static_cast<double>(head);
  c.run();
  for (std::size_t head = 0; head < 8; ++head) EXPECT_EQ(c.o[head * 64], c.v[head / 2 * 64]) << head;
}

/// Element (row, col) of a matrix of `cols` columns, of `rows` where it is stored transposed.
std::size_t place(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols, bool transposed) {
  return transposed ? col * rows + row : row * cols + col;
}

TEST(References, MatmulSumsProductsAndTheirAbsoluteValuesInEveryTranspose) {
  constexpr std::size_t kM = 3, kN = 5, kK = 130, kB = 2;
  std::vector<double> a(kB * kM * kK), b(kB * kK * kN), c(kB * kM * kN), scale(c.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * 37 % 101) - 50;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i * 53 % 97) - 48;
  for (int transposes = 0; transposes < 4; ++transposes) {
    const bool trans_a = (transposes & 1) != 0, trans_b = (transposes & 2) != 0;
    const auto t =
        *core::make_task(*find_builtin_op("matmul"), "f32", {{"B", kB}, {"M", kM}, {"N", kN}, {"K", kK}},
                         {{"trans_a", trans_a}, {"trans_b", trans_b}});
    ASSERT_TRUE(
        find_reference("matmul")->function({&t, {{"a", a}, {"b", b}}, {{"c", c}}, {{"c", scale}}, 3}));
    for (std::size_t at = 0; at < c.size(); ++at) {
      const std::size_t i = at / (kM * kN), m = at / kN % kM, n = at % kN;
      double sum = 0, absolute = 0;
      for (std::size_t k = 0; k < kK; ++k) {
        const double product =
            a[i * kM * kK + place(m, k, kM, kK, trans_a)] * b[i * kK * kN + place(k, n, kK, kN, trans_b)];
        sum += product;
        absolute += std::fabs(product);
      }
      EXPECT_EQ(c[at], sum) << transposes << " at " << at;  // whole numbers: exact in any order
      EXPECT_EQ(scale[at], absolute) << transposes << " at " << at;
    }
  }
}

TEST(References, MatmulMultipliesZerosWithInfinities) {
  const auto t = task("matmul", {{"B", 1}, {"M", 2}, {"N", 1}, {"K", 2}});
  const std::vector<double> a = {0, 1, 1, 1}, b = {INFINITY, 2};
  std::vector<double> c(2), scale(2);
  ASSERT_TRUE(find_reference("matmul")->function({&t, {{"a", a}, {"b", b}}, {{"c", c}}, {{"c", scale}}, 1}));
  EXPECT_TRUE(std::isnan(c[0]));
  EXPECT_EQ(c[1], INFINITY);
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
