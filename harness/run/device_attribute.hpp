#pragma once
#include <cuda.h>

#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// An attribute of the device of the current context. Fails where there is no context.
RunResult<int> device_attribute(CUdevice_attribute which);

}  // namespace kgen::run
