#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status depthwise_conv2d(const ReferenceCall& call);

}  // namespace kgen::reference_ops
