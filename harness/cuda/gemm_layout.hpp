#pragma once

#include "core/gemm.hpp"

namespace kgen::cuda {

/// A row-major product as BLAS asks for it, which knows columns only: the transposed product
/// out^T = op(b)^T op(a)^T of matrices that lie in memory just as they do. `left` is b, `right` is a.
struct GemmLayout {
  std::int64_t rows = 0, columns = 0, depth = 0;  ///< of out^T: n x m, summed over k
  bool trans_left = false, trans_right = false;
  std::int64_t left_rows = 0, left_columns = 0, right_rows = 0, right_columns = 0;  ///< as they lie in memory
  std::int64_t left_stride = 0, right_stride = 0,
               out_stride = 0;  ///< elements from one of the batch to the next
  std::int64_t batch = 1;
  /// Leading dimensions: rows of the matrices as they lie in memory.
  std::int64_t left_leading() const { return left_rows; }
  std::int64_t right_leading() const { return right_rows; }
  std::int64_t out_leading() const { return rows; }
};

inline GemmLayout column_major(const core::GemmShape& shape) {
  GemmLayout out;
  out.rows = shape.n;
  out.columns = shape.m;
  out.depth = shape.k;
  out.trans_left = shape.trans_b;
  out.trans_right = shape.trans_a;
  out.left_rows = shape.trans_b ? shape.k : shape.n;
  out.left_columns = shape.trans_b ? shape.n : shape.k;
  out.right_rows = shape.trans_a ? shape.m : shape.k;
  out.right_columns = shape.trans_a ? shape.k : shape.m;
  out.left_stride = shape.k * shape.n;
  out.right_stride = shape.m * shape.k;
  out.out_stride = shape.m * shape.n;
  out.batch = shape.batch;
  return out;
}

}  // namespace kgen::cuda
