#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.hpp"

namespace kgen::reference_ops {

/// What the rounding of the weights to the tensors' dtype costs, in units of f32's roundoff.
struct WeightRounding {
  double relative, absolute;
  explicit WeightRounding(core::DType dtype);
};

/// One query against the keys that it sees.
struct QueryRow {
  std::span<const double> query, keys, values;  ///< [D], [visible, D], [visible, D]
  std::span<double> out, scale;                 ///< [D]
  double logit_scale;
  WeightRounding rounding;
  std::vector<double>& weights;    ///< scratch, [visible]
  std::vector<double>& roundings;  ///< scratch: by how many roundings each weight errs
  std::size_t distinct = 0;        ///< how many keys may be others; 0: all of them

  std::size_t visible() const { return keys.size() / query.size(); }
  std::span<const double> key(std::size_t j) const { return keys.subspan(j * query.size(), query.size()); }
};

/// Fills `out` with the attention of one query and `scale` with its error in units of f32's roundoff
/// (docs/verification.md, "Attention"). Zeros where no key is visible.
void attend(const QueryRow& row);

}  // namespace kgen::reference_ops
