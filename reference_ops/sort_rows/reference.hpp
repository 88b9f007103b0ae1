#pragma once

#include "reference_ops/reference.hpp"

namespace kgen::reference_ops {

Status sort_rows(const ReferenceCall& call);

}  // namespace kgen::reference_ops
