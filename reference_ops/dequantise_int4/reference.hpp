#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status dequantise_int4(const ReferenceCall& call);

}  // namespace kgen::reference_ops
