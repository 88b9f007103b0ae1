#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// x [rows, K], gate and up [groups, N, K], ends [groups] -> y [rows, N]; scale = its error in roundings of
/// f32 (docs/verification.md, "Products with an epilogue").
Status grouped_swiglu(const ReferenceCall& call);

}  // namespace kgen::reference_ops
