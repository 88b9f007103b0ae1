#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status avg_pool2d(const ReferenceCall& call);

}  // namespace kgen::reference_ops
