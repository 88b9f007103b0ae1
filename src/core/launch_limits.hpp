#pragma once

#include "core/resolved_plan.hpp"

namespace kgen::core {

/// Checks grid, block, dynamic shared memory, cluster and cooperative launch against the CUDA Programming
/// Guide's technical specifications and the device's own limits. `field` names the launch.
PlanResult<void> check_launch_limits(const ResolvedLaunch& launch, const DeviceFacts& device,
                                     const std::string& field, bool has_cluster);

/// Checks that a whole number can be an element of `dtype`: within its range and, for floats, exactly
/// representable.
PlanResult<void> check_fill_value(std::int64_t value, DType dtype, const std::string& field);

}  // namespace kgen::core
