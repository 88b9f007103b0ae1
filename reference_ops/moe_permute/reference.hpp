#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

/// x [tokens, width], chosen [tokens, k] -> y [tokens * k, width], slots [tokens, k], ends [experts].
Status moe_permute(const ReferenceCall& call);

}  // namespace kgen::reference_ops
