#pragma once

#include <cuda.h>

#include "core/resolved_plan.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// Encodes one map over the buffer at `address` (cuTensorMapEncodeTiled). Errors: launch_error "tensor_map",
/// naming the map.
RunResult<CUtensorMap> encode_tensor_map(const core::ResolvedTensorMap& map, CUdeviceptr address);

}  // namespace kgen::run
