#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/evaluation.hpp"
#include "core/task.hpp"
#include "harness/judge/shared/tolerance.hpp"

namespace kgen::judge {

/// One output beside what it should be, on the host: all of it, or a window of whole innermost rows.
struct OutputView {
  std::string tensor;
  core::DType dtype = core::DType::f32;
  std::vector<std::int64_t> shape;      ///< of the whole tensor
  std::vector<std::string> dim_labels;  ///< "cols", "dim 1"
  std::int64_t first = 0;               ///< flat index of the window's first element
  bool has_all_wrong = true;            ///< no wrong element lies outside the window
  std::vector<double> got, expected, scale;
  std::vector<std::uint64_t> got_bits;
  std::uint64_t poison = 0;  ///< bits of an element that was never written
  /// Inputs with as many elements as the output, decoded, the same window: for "copies its input".
  std::vector<std::pair<std::string, std::vector<double>>> inputs;
};

/// Labels for an output's dims: the op's own names where the shape is a plain name.
std::vector<std::string> dim_labels(const core::Tensor& tensor);

/// Coordinates of a flat index.
std::vector<std::int64_t> coordinates(std::int64_t flat, const std::vector<std::int64_t>& shape);

/// Flat indices (in the window) of the elements whose error exceeds the tolerance.
std::vector<std::size_t> wrong_indices(const OutputView& view, const ToleranceParams& params);

/// The mismatch of one output: counts, up to eight elements with the worst errors, and what they have in
/// common. `total_wrong` and `total` speak of the whole tensor where the view is a window.
core::Mismatch describe_mismatch(const OutputView& view, const ToleranceParams& params,
                                 std::int64_t total_wrong, std::int64_t total);

}  // namespace kgen::judge
