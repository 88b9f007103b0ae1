#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// x [rows, K], w [groups, N, K], ends [groups] -> y [rows, N]; scale = sum of the products' magnitudes.
Status grouped_gemm(const ReferenceCall& call);

}  // namespace kgen::reference_ops
