#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// q [B, Hq, D], k and v [pages, page, Hkv, D], table [B, room], last [B] -> o [B, Hq, D].
Status attention_paged(const ReferenceCall& call);

}  // namespace kgen::reference_ops
