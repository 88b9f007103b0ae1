#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status matmul_fp8(const ReferenceCall& call);

}  // namespace kgen::reference_ops
