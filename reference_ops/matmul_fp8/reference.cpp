#include "reference_ops/matmul_fp8/reference.hpp"

#include <algorithm>
#include <cmath>

#include "reference_ops/sum_growth.hpp"

namespace kgen::reference_ops {
namespace {

/// A factor as rows along K, and the squares of its elements' sizes as tensor cores align them.
struct Rows {
  std::vector<double> values, squares;
};

/// A number's power of two in the alignment of products: subnormal ones have that of the smallest normal.
double aligned_size(double x) {
  constexpr double kSmallestNormal = 0x1p-6;
  return x == 0 ? 0.0 : std::max(std::fabs(x), kSmallestNormal);
}

Rows rows_along_k(std::span<const double> x, std::size_t rows, std::size_t inner, bool k_inner) {
  Rows out{std::vector<double>(x.size()), std::vector<double>(x.size())};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inner; ++k) {
      const double value = x[k_inner ? row * inner + k : k * rows + row], size = aligned_size(value);
      out.values[row * inner + k] = value;
      out.squares[row * inner + k] = size * size;
    }
  }
  return out;
}

/// What a sum loses in tensor cores that cut off all but 13 bits behind the leading one, in roundings of f32
/// (docs/verification.md, "Products of fp8").
double cut_off(double sum, double squares, double length) {
  const double reach = std::fabs(sum) + 4.0 * std::sqrt(squares);
  return 0x1p11 * (length * std::fabs(sum) + (sum_growth(length) + std::ceil(length / 16.0)) * reach);
}

}  // namespace

/// a [M, K] or [K, M], b [N, K] or [K, N], scales of one element or of M and N -> y [M, N] in fp64; scale =
/// its error in roundings of f32: what the sum loses, and three of the products with scales.
Status matmul_fp8(const ReferenceCall& call) {
  const auto dim = [&](const char* name) { return static_cast<std::size_t>(call.task->dims.at(name)); };
  const auto is_set = [&](const char* name) { return call.task->attributes.at(name) != 0; };
  const std::size_t inner = dim("K"), columns = dim("N");
  const Rows a = rows_along_k(call.inputs.at("a"), dim("M"), inner, !is_set("trans_a"));
  const Rows b = rows_along_k(call.inputs.at("b"), columns, inner, is_set("trans_b"));
  const auto scale_a = call.inputs.at("scale_a"), scale_b = call.inputs.at("scale_b");
  const auto y = call.expected.at("y"), scale = call.scale.at("y");
  const bool row_scales = is_set("row_scales");
  parallel_for(call.task->dims.at("M"), call.threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto m = static_cast<std::size_t>(begin); m < static_cast<std::size_t>(end); ++m) {
      for (std::size_t n = 0; n < columns; ++n) {
        double sum = 0, squares = 0;
        for (std::size_t k = 0; k < inner; ++k) {
          sum += a.values[m * inner + k] * b.values[n * inner + k];
          squares += a.squares[m * inner + k] * b.squares[n * inner + k];
        }
        const double factor = scale_a[row_scales ? m : 0] * scale_b[row_scales ? n : 0];
        const double result = factor * sum;
        y[m * columns + n] = result;
        scale[m * columns + n] =
            std::fabs(factor) * cut_off(sum, squares, static_cast<double>(inner)) + 3.0 * std::fabs(result);
      }
    }
  });
  return {};
}

}  // namespace kgen::reference_ops
