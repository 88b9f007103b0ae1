#include "harness/run/device_attribute.hpp"

#include "harness/cuda/driver.hpp"
#include "harness/run/fault_table.hpp"

namespace kgen::run {

RunResult<int> device_attribute(CUdevice_attribute which) {
  CUdevice device = 0;
  int value = 0;
  KGEN_CHECK(check_world(cuda::driver().cuCtxGetDevice(&device), "asking for the device"));
  KGEN_CHECK(check_world(cuda::driver().cuDeviceGetAttribute(&value, which, device), "asking the device"));
  return value;
}

}  // namespace kgen::run
