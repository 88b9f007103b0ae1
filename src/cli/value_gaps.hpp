#pragma once

#include <vector>

#include "core/op.hpp"
#include "core/proof.hpp"

namespace kgen::cli {

/// Whether the tensor is an input whose elements are floats in one of the op's dtypes at least.
bool takes_floats(const core::Op& op, const core::Tensor& tensor);

/// What no distribution gives a float input that may hold anything (`special_values = "propagate"`): values
/// at which f32's exp overflows, small ones beside which a constant or a flush counts, and many that are
/// equal. A `missing` finding for each such input; nothing of an op that leaves special values unspecified,
/// as its inputs may have a range. Whole numbers that nothing says the range of are another such finding.
std::vector<core::Finding> value_gaps(const core::Op& op);

}  // namespace kgen::cli
