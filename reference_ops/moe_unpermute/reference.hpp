#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// x [tokens * k, width], chosen [tokens, k] -> y [tokens, k, width].
Status moe_unpermute(const ReferenceCall& call);

}  // namespace kgen::reference_ops
