#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// q [B, Hq, S, D], k and v [B, Hkv, Skv, D] -> o [B, Hq, S, D]; a query sees `window` keys.
Status attention_window(const ReferenceCall& call);

}  // namespace kgen::reference_ops
