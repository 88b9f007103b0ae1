#include <array>

#include "harness/profile/cupti_library.hpp"

namespace kgen::profile {
namespace {

struct Row {
  int code;
  const char *name, *meaning, *advice;
};

constexpr const char* kAskAdministrator =
    "let an administrator load the driver with NVreg_RestrictProfilingToAdminUsers=0 (see "
    "https://developer.nvidia.com/ERR_NVGPUCTRPERM), or run the worker with CAP_SYS_ADMIN";

// The names are those of cupti_result.h; what to do is from the CUPTI documentation, Special Configurations.
constexpr std::array kRows = {
    Row{7, "CUPTI_ERROR_INVALID_OPERATION", "not possible in this state", ""},
    Row{8, "CUPTI_ERROR_OUT_OF_MEMORY", "a buffer is full", ""},
    Row{9, "CUPTI_ERROR_HARDWARE", "the device's counters did not answer", ""},
    Row{14, "CUPTI_ERROR_NOT_COMPATIBLE", "this CUPTI and this driver do not go together",
        "install a driver as new as the toolkit"},
    Row{15, "CUPTI_ERROR_NOT_INITIALIZED", "CUPTI does not start here", ""},
    Row{17, "CUPTI_ERROR_INVALID_METRIC_NAME", "the chip has no such metric", ""},
    Row{26, "CUPTI_ERROR_HARDWARE_BUSY", "another profiler holds the counters",
        "end the other profiler (ncu, nsys, DCGM's profiling metrics: dcgmi profile --pause)"},
    Row{27, "CUPTI_ERROR_NOT_SUPPORTED", "the device does not support it", ""},
    Row{33, "CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED", "a virtual GPU without profiling",
        "profile on a whole GPU, or let an administrator enable profiling for the vGPU"},
    Row{35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "ERR_NVGPUCTRPERM: counters are for administrators only",
        kAskAdministrator},
    Row{36, "CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED", "another profiling interface is in use",
        "end the other profiler"},
    Row{38, "CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED", "not on this device", ""},
    Row{39, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
        "another tool (compute-sanitizer, ncu, nsys) is "
        "attached to this process",
        "run the worker without the other tool"},
    Row{40, "CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES",
        "a virtual GPU whose host forbids profiling",
        "let the host's administrator enable profiling for the vGPU (enable_profiling=1)"},
    Row{41, "CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED", "confidential computing is on",
        "profile on a device without confidential computing"},
    Row{42, "CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED", "a mining device", ""},
    Row{43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED", "a MIG slice", "profile on a whole GPU"},
    Row{45, "CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED", "WSL without profiling",
        "allow counters for all users in the NVIDIA control panel of Windows"},
    Row{46, "CUPTI_ERROR_INVALID_CHIP_NAME", "this CUPTI does not know the chip",
        "install a newer CUDA toolkit"},
    Row{999, "CUPTI_ERROR_UNKNOWN", "CUPTI says no more", ""},
};

}  // namespace

CodeText explain_code(int code) {
  for (const Row& row : kRows) {
    if (row.code == code) return {row.name, row.meaning, row.advice};
  }
  return {"CUPTI error " + std::to_string(code), "", ""};
}

}  // namespace kgen::profile
