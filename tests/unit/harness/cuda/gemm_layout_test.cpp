#include "harness/cuda/gemm_layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kgen::cuda {
namespace {

using Values = std::vector<std::int64_t>;

std::int64_t element(const Values& matrix, std::int64_t row, std::int64_t column, std::int64_t leading,
                     std::int64_t from) {
  return matrix[static_cast<std::size_t>(from + column * leading + row)];
}

/// What BLAS does with a layout: column-major, one matrix of the batch after the other.
Values blas(const GemmLayout& at, const Values& left, const Values& right) {
  Values out(static_cast<std::size_t>(at.batch * at.out_stride));
  for (std::int64_t i = 0; i < at.batch; ++i) {
    for (std::int64_t r = 0; r < at.rows; ++r) {
      for (std::int64_t c = 0; c < at.columns; ++c) {
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < at.depth; ++k) {
          const std::int64_t x = element(left, at.trans_left ? k : r, at.trans_left ? r : k,
                                         at.left_leading(), i * at.left_stride);
          const std::int64_t y = element(right, at.trans_right ? c : k, at.trans_right ? k : c,
                                         at.right_leading(), i * at.right_stride);
          sum += x * y;
        }
        out[static_cast<std::size_t>(i * at.out_stride + c * at.out_leading() + r)] = sum;
      }
    }
  }
  return out;
}

/// The product as core::Gemm says it: row-major.
Values row_major(const core::GemmShape& s, const Values& a, const Values& b) {
  Values out;
  for (std::int64_t i = 0; i < s.batch; ++i) {
    for (std::int64_t m = 0; m < s.m; ++m) {
      for (std::int64_t n = 0; n < s.n; ++n) {
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < s.k; ++k) {
          const std::int64_t x = i * s.m * s.k + (s.trans_a ? k * s.m + m : m * s.k + k);
          const std::int64_t y = i * s.k * s.n + (s.trans_b ? n * s.k + k : k * s.n + n);
          sum += a[static_cast<std::size_t>(x)] * b[static_cast<std::size_t>(y)];
        }
        out.push_back(sum);
      }
    }
  }
  return out;
}

TEST(GemmLayout, AsksBlasForTheRowMajorProductInEveryTranspose) {
  Values a(2 * 3 * 7), b(2 * 7 * 5);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::int64_t>(i * 37 % 101) - 50;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::int64_t>(i * 53 % 97) - 48;
  for (const bool trans_a : {false, true}) {
    for (const bool trans_b : {false, true}) {
      const core::GemmShape shape{"a", "b", "c", core::DType::f32, 2, 3, 5, 7, trans_a, trans_b};
      EXPECT_EQ(blas(column_major(shape), b, a), row_major(shape, a, b)) << trans_a << trans_b;
    }
  }
}

TEST(GemmLayout, MatricesLieInMemoryWithoutGaps) {
  const GemmLayout at = column_major({"a", "b", "c", core::DType::f32, 2, 3, 5, 7, true, false});
  EXPECT_EQ(at.left_rows * at.left_columns, at.left_stride);
  EXPECT_EQ(at.right_rows * at.right_columns, at.right_stride);
  EXPECT_EQ(at.rows * at.columns, at.out_stride);
}

}  // namespace
}  // namespace kgen::cuda
