#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status max(const ReferenceCall& call);

}  // namespace kgen::reference_ops
