#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// q, dout [B, Hq, S, D], k and v [B, Hkv, Skv, D] -> dq as q, dk and dv as k, attribute causal.
Status attention_backward(const ReferenceCall& call);

}  // namespace kgen::reference_ops
