#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// q [B, Hq, D], k and v [B, Hkv, S, D], last [B] -> o [B, Hq, D].
Status attention_decode(const ReferenceCall& call);

}  // namespace kgen::reference_ops
