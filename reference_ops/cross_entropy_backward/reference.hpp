#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status cross_entropy_backward(const ReferenceCall& call);

}  // namespace kgen::reference_ops
