// The tolerance of matmul_fp8 against models of the tensor cores that it must let pass, and of coarser ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "harness/judge/host_kernels.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/rules.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::judge {
namespace {

using Vector = std::vector<double>;

/// How a sum of products of two vectors is made.
using Sum = std::function<double(const Vector& a, const Vector& b)>;

/// Of a factor in e4m3, as products are aligned: subnormal ones have the smallest normal's.
int exponent_of(double x) {
  return x == 0 ? -1000 : std::max(std::ilogb(x), -6);
}

double cut_off(double x, int exponent, int bits) {
  const double unit = std::ldexp(1.0, exponent - bits);
  return std::trunc(x / unit) * unit;
}

/// Fp8 tensor cores (MMA-Sim, arXiv:2511.10909): a block of products and the sum so far are cut off `bits`
/// bits behind the leading one of the largest of them, towards zero, added, and cut off again. Hopper: 13
/// bits, 32 products; Ada: 13 and 16.
double sum_cut_off(const Vector& a, const Vector& b, int bits, std::size_t block) {
  double sum = 0;
  for (std::size_t first = 0; first < a.size(); first += block) {
    const std::size_t last = std::min(first + block, a.size());
    int exponent = sum == 0 ? -1000 : std::ilogb(sum);
    for (std::size_t k = first; k < last; ++k) {
      if (std::isnan(a[k] * b[k])) return NAN;
      exponent = std::max(exponent, exponent_of(a[k]) + exponent_of(b[k]));
    }
    double next = cut_off(sum, exponent, bits);
    for (std::size_t k = first; k < last; ++k) next += cut_off(a[k] * b[k], exponent, bits);
    sum = next == 0 ? 0 : cut_off(next, std::ilogb(next), bits);
  }
  return sum;
}

Sum tensor_cores(int bits, std::size_t block) {
  return [=](const Vector& a, const Vector& b) { return sum_cut_off(a, b, bits, block); };
}

/// As good kernels do where precision counts: parts of 128 products in tensor cores, added in f32.
double sum_promoted(const Vector& a, const Vector& b) {
  float sum = 0;
  for (std::size_t first = 0; first < a.size(); first += 128) {
    const auto from = static_cast<std::ptrdiff_t>(first);
    const auto to = static_cast<std::ptrdiff_t>(std::min(first + 128, a.size()));
    const Vector left(a.begin() + from, a.begin() + to), right(b.begin() + from, b.begin() + to);
    sum += static_cast<float>(sum_cut_off(left, right, 13, 32));
  }
  return static_cast<double>(sum);
}

/// One f16 after each block of 32 products, as tensor cores with accumulators of f16 round.
double sum_in_f16(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] * b[k];
    if (k % 32 == 31 || k + 1 == a.size()) sum = decode(kF16, encode(kF16, sum));
  }
  return sum;
}

/// A task of the op, its inputs filled from one distribution, and what is expected of it. b is [N, K].
struct Product {
  core::Task task;
  core::Distribution distribution;
  std::vector<core::TensorFacts> tensors = core::tensors_of(task).value();
  std::map<std::string, Vector> inputs{};
  ExpectedOutput expected{};

  Product(core::Task of, core::Distribution from, std::uint64_t seed)
      : task(std::move(of)), distribution(std::move(from)) {
    const InputCase input{&distribution, seed};
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].role == core::Role::output) continue;
      inputs[tensors[i].name] = input_on_host(tensors[i], i, input);
    }
    expected = expected_on_host(task, tensors, input).value().front();
  }

  Vector row(const char* of, std::size_t number) const {
    const auto inner = static_cast<std::ptrdiff_t>(task.dims.at("K"));
    const auto first = inputs.at(of).begin() + static_cast<std::ptrdiff_t>(number) * inner;
    return {first, first + inner};
  }

  float scale(const char* of, std::size_t row) const {
    const Vector& scales = inputs.at(of);
    return static_cast<float>(scales[scales.size() > 1 ? row : 0]);
  }

  /// What a comparison finds of a kernel that sums so, scales in f32 and rounds once.
  CompareCount compared(const Sum& sum) const {
    const auto rows = static_cast<std::size_t>(task.dims.at("M"));
    const auto columns = static_cast<std::size_t>(task.dims.at("N"));
    std::vector<std::byte> got(expected.values.size() * 2);
    for (std::size_t m = 0; m < rows; ++m) {
      for (std::size_t n = 0; n < columns; ++n) {
        const auto of = static_cast<float>(sum(row("a", m), row("b", n)));
        const float y = of * scale("scale_a", m) * scale("scale_b", n);
        store_element(got.data(), 2, static_cast<I64>(m * columns + n),
                      encode(kBf16, static_cast<double>(y)));
      }
    }
    const auto params = tolerance_params(task, tensors.back(), distribution).value();
    return compare_on_host(got.data(), expected.values, expected.scale, params);
  }
};

struct Shape {
  std::int64_t m, n, k;
  bool row_scales;
};

core::Task task_of(const Shape& shape) {
  const core::Dims dims = {{"M", shape.m}, {"N", shape.n}, {"K", shape.k}};
  const auto op = reference_ops::find_builtin_op("matmul_fp8").value();
  return core::make_task(op, "", dims, {{"row_scales", shape.row_scales}}).value();
}

/// Of all of the op's distributions at shapes short and long.
std::vector<Product> all_products() {
  std::vector<Product> products;
  for (const Shape& shape : {Shape{9, 7, 1, true}, Shape{8, 9, 96, false}, Shape{5, 8, 129, true},
                             Shape{4, 8, 4096, false}, Shape{2, 3, 16384, true}}) {
    const core::Task task = task_of(shape);
    for (const auto& distribution : task.op->distributions) products.emplace_back(task, distribution, 7);
  }
  return products;
}

class Fp8Products : public testing::Test {
 protected:
  static void SetUpTestSuite() { products = all_products(); }
  static void TearDownTestSuite() { products.clear(); }

  /// Names of the distributions in which sums made so are found wrong.
  static std::set<std::string> wrong_in(const Sum& sum) {
    std::set<std::string> names;
    for (const Product& product : products) {
      if (product.compared(sum).wrong > 0) names.insert(product.distribution.name);
    }
    return names;
  }

  static inline std::vector<Product> products;
};

TEST_F(Fp8Products, SumsOfTensorCoresAreRightInEveryDistribution) {
  EXPECT_EQ(wrong_in(tensor_cores(13, 32)), std::set<std::string>{}) << "Hopper";
  EXPECT_EQ(wrong_in(tensor_cores(13, 16)), std::set<std::string>{}) << "Ada";
  EXPECT_EQ(wrong_in(sum_promoted), std::set<std::string>{});
}

TEST_F(Fp8Products, CoarserSumsAreNot) {
  EXPECT_TRUE(wrong_in(tensor_cores(8, 32)).contains("sparse"));
  EXPECT_TRUE(wrong_in(sum_in_f16).contains("large"));
}

/// What tensor cores lose of a long sum of one sign is a good part of what is allowed: no smaller bound would
/// do.
TEST_F(Fp8Products, TheBoundIsOfTheSizeOfWhatIsLost) {
  for (const Product& product : products) {
    if (product.distribution.name != "offset" || product.task.dims.at("K") != 4096) continue;
    EXPECT_GT(product.compared(tensor_cores(13, 32)).worst_ratio, 0.1);
  }
}

TEST_F(Fp8Products, ATermLeftOutShowsWhateverTheLength) {
  const Sum short_sum = [](const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end() - 1, b.begin(), 0.0);
  };
  for (const std::int64_t length : {1, 96, 4096, 65536}) {
    const core::Task task = task_of({16, 16, length, false});
    for (const auto& distribution : task.op->distributions) {
      if (distribution.name != "signs") continue;
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        EXPECT_GT(Product(task, distribution, seed).compared(short_sum).wrong, 0) << core::describe(task);
    }
  }
}

}  // namespace
}  // namespace kgen::judge
