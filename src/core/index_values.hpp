#pragma once

#include "core/op.hpp"

namespace kgen::core {

/// Whether some distribution of the op says by the tensor's name what it holds.
bool is_named(const Op& op, const Tensor& tensor);

/// Adds distributions for indices (integer inputs with `below`, but for ends of groups) and masks (b8) that
/// no distribution of the op names, and which would only ever be drawn evenly. NAME_at_ends: indices near
/// both ends of their range, masks with rows of zeros, and of zeros before, behind or around ones.
/// NAME_in_runs: indices in lines and runs, masks with rows of ones, and of ones around zeros. All else is as
/// in the first distribution, NAME. Where the op sums, indices are spread over their range, most densely at
/// its ends, and in no runs: equal terms err alike. What treats the first row or an empty mask in another way
/// shows in no even draw of a long range or row. The wire has none of these: who reads an op adds them.
void add_index_distributions(Op& op);

}  // namespace kgen::core
