#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "emulator_corpus/cases.hpp"
#include "emulator_corpus/expectation.hpp"
#include "emulator_corpus/values.hpp"

namespace kgen::corpus {
namespace {

/// a [m, k] times b, [k, n] or, transposed, [n, k]; sums in double.
template <class Out, class T>
std::vector<Out> product(const std::vector<T>& a, const std::vector<T>& b, std::size_t m, std::size_t n,
                         std::size_t k, bool b_transposed, double scale = 1) {
  std::vector<Out> out;
  for (std::size_t i = 0; i < m * n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += number_of(a[i / n * k + j]) * number_of(b_transposed ? b[i % n * k + j] : b[j * n + i % n]);
    out.push_back(static_cast<Out>(static_cast<double>(sum * scale)));
  }
  return out;
}
/// Small integers: every sum is exact in f32 and f64, in any order.
template <class T>
std::vector<T> small(std::size_t count, std::uint64_t seed) {
  return converted<T>(converted<float>(integers(count, seed, -8, 8)));
}

Case matmul_f64() {
  const std::size_t m = 13, n = 21, k = 30;
  const auto a = doubles(m * k, 270), b = doubles(k * n, 271);
  return {"matmul_f64",
          "matmuls",
          {input("a", a), input("b", b), output("c", product<double>(a, b, m, n, k, false), {1e-14, 0})},
          {{"matmul_f64", {3, 2}, {8, 8}, {"a", "b", "c", int{m}, int{n}, int{k}}}}};
}

Case matmul_pipelined() {
  const std::size_t m = 64, n = 32, k = 80;
  const auto a = small<float>(m * k, 272), b = small<float>(k * n, 273);
  return {"matmul_pipelined",
          "matmuls",
          {input("a", a), input("b", b), output("c", product<float>(a, b, m, n, k, false))},
          {{"matmul_pipelined", {1, 2}, {64}, {"a", "b", "c", int{n}, int{k}}}}};
}

Case gemv() {
  const std::size_t rows = 10, k = 300;
  const auto a = converted<__half>(reals(rows * k, 274)), x = converted<__half>(reals(k, 275));
  return {"gemv",
          "matmuls",
          {input("a", a), input("x", x), output("y", product<float>(a, x, rows, 1, k, false), {1e-5, 0})},
          {{"gemv", {3}, {32, 4}, {"a", "x", "y", int{rows}, static_cast<int>(k / 2)}}}};
}

Case matmul_split() {
  const std::size_t m = 5, n = 40, k = 96;
  const auto a = small<float>(m * k, 276), b = small<float>(k * n, 277);
  return {"matmul_split",
          "matmuls",
          {input("a", a), input("b", b), accumulated("c", product<float>(a, b, m, n, k, false))},
          {{"matmul_split", {1, m, 4}, {n}, {"a", "b", "c", int{n}, int{k}}}}};
}

template <class T, class Acc>
Case matmul_wmma(const std::string& name, const std::string& kernel, std::size_t m, std::size_t n,
                 std::uint64_t seed) {
  const std::size_t k = 64;
  const auto a = small<T>(m * k, seed), b = small<T>(n * k, seed + 1);
  return {"matmul_wmma_" + name,
          "matmuls",
          {input("a", a), input("b", b), output("c", product<Acc>(a, b, m, n, k, true))},
          {{kernel, {1}, {32}, {"a", "b", "c", int{k}}}}};
}

Case matmul_tensor_tiles() {
  const std::size_t m = 64, n = 64, k = 48;
  const auto a = small<__half>(m * k, 290), b = small<__half>(k * n, 291);
  return {"matmul_tensor_tiles",
          "matmuls",
          {input("a", a), input("b", b), output("c", product<__half>(a, b, m, n, k, false, 0.5))},
          {{"matmul_tensor_tiles", {2, 2}, {128}, {"a", "b", "c", int{n}, int{k}}}}};
}

Case triangular_solve() {
  const std::size_t n = 12, columns = 20;
  auto a = reals(n * n, 292);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 3;
  const auto x = reals(n * columns, 293);
  std::vector<double> solved(x.begin(), x.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t j = 0; j < i; ++j)
        solved[i * columns + c] -= number_of(a[i * n + j]) * solved[j * columns + c];
      solved[i * columns + c] /= number_of(a[i * n + i]);
    }
  }
  return {"triangular_solve",
          "matmuls",
          {input("a", a), changed("x", x, converted<float>(solved), {5e-6, 0})},
          {{"triangular_solve", {1}, {32}, {"a", "x", int{n}, int{columns}}}}};
}

}  // namespace

std::vector<Case> matmul_cases() {
  return {
      matmul_f64(),
      matmul_pipelined(),
      gemv(),
      matmul_split(),
      matmul_wmma<__half, float>("f16", "matmul_wmma<__half, float, 16, 16, 16>", 16, 16, 278),
      matmul_wmma<__half, __half>("f16_f16", "matmul_wmma<__half, __half, 32, 8, 16>", 32, 8, 280),
      matmul_wmma<__nv_bfloat16, float>("bf16", "matmul_wmma<__nv_bfloat16, float, 8, 32, 16>", 8, 32, 282),
      matmul_wmma<float, float>("tf32", "matmul_wmma<float, float, 16, 16, 8, wmma::precision::tf32>", 16, 16,
                                284),
      matmul_wmma<signed char, int>("s8", "matmul_wmma<signed char, int, 16, 16, 16>", 16, 16, 286),
      matmul_wmma<double, double>("f64", "matmul_wmma<double, double, 8, 8, 4>", 8, 8, 288),
      matmul_tensor_tiles(),
      triangular_solve()};
}

}  // namespace kgen::corpus
