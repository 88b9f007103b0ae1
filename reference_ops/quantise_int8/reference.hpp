#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status quantise_int8(const ReferenceCall& call);

}  // namespace kgen::reference_ops
