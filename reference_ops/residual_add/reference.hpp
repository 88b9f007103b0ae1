#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status residual_add(const ReferenceCall& call);

}  // namespace kgen::reference_ops
