#pragma once

#include <string>

#include "core/device_facts.hpp"
#include "harness/cuda/handles.hpp"

namespace kgen::cuda {

/// Number of CUDA devices. Errors: missing where there is no driver.
Result<int> device_count();

/// Facts of device `index`, without making a context. `measured_copy_gbs` and `nvrtc_version` are left to the
/// caller.
Result<core::DeviceFacts> query_device(int index);

/// "0000:17:00.0", for NVML.
Result<std::string> pci_bus_id(int index);

/// Copy bandwidth of device memory in GB/s, bytes read plus written: median of seven copies of 1 GiB (less
/// where memory is short, never under twice the L2). About 50 ms. The context must be current.
Result<double> measure_copy_gbs(const Context& context);

}  // namespace kgen::cuda
