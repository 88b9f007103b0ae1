#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status quantise_fp8(const ReferenceCall& call);

}  // namespace kgen::reference_ops
