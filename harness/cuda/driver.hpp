#pragma once

#include <cuda.h>

#include <string>

#include "util/error.hpp"

/// The functions of libcuda.so.1 that kgen calls. Add a name here to use it; the macros of <cuda.h> give it
/// its _vN.
// clang-format off
#define KGEN_CUDA_FUNCTIONS(X) \
  X(cuInit) \
  X(cuDriverGetVersion) \
  X(cuGetErrorName) \
  X(cuGetErrorString) \
  X(cuDeviceGet) \
  X(cuDeviceGetCount) \
  X(cuDeviceGetName) \
  X(cuDeviceGetAttribute) \
  X(cuDeviceTotalMem) \
  X(cuDeviceGetPCIBusId) \
  X(cuDevicePrimaryCtxRetain) \
  X(cuDevicePrimaryCtxRelease) \
  X(cuCtxSetCurrent) \
  X(cuCtxSynchronize) \
  X(cuCtxGetDevice) \
  X(cuCtxSetLimit) \
  X(cuCtxGetLimit) \
  X(cuCtxResetPersistingL2Cache) \
  X(cuMemAlloc) \
  X(cuMemFree) \
  X(cuMemGetInfo) \
  X(cuMemAllocHost) \
  X(cuMemFreeHost) \
  X(cuMemcpyHtoD) \
  X(cuMemcpyDtoH) \
  X(cuMemcpyHtoDAsync) \
  X(cuMemcpyDtoHAsync) \
  X(cuMemcpyDtoDAsync) \
  X(cuMemsetD8Async) \
  X(cuMemsetD16Async) \
  X(cuMemsetD32Async) \
  X(cuMemsetD2D32Async) \
  X(cuIpcGetMemHandle) \
  X(cuIpcOpenMemHandle) \
  X(cuIpcCloseMemHandle) \
  X(cuStreamCreate) \
  X(cuStreamDestroy) \
  X(cuStreamSynchronize) \
  X(cuStreamQuery) \
  X(cuStreamWaitEvent) \
  X(cuStreamBeginCapture) \
  X(cuStreamEndCapture) \
  X(cuEventCreate) \
  X(cuEventDestroy) \
  X(cuEventRecord) \
  X(cuEventRecordWithFlags) \
  X(cuEventSynchronize) \
  X(cuEventElapsedTime) \
  X(cuModuleLoadData) \
  X(cuModuleUnload) \
  X(cuModuleGetFunction) \
  X(cuModuleGetGlobal) \
  X(cuFuncLoad) \
  X(cuFuncGetAttribute) \
  X(cuFuncSetAttribute) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuOccupancyMaxActiveClusters) \
  X(cuLaunchKernelEx) \
  X(cuTensorMapEncodeTiled) \
  X(cuGraphInstantiate) \
  X(cuGraphUpload) \
  X(cuGraphLaunch) \
  X(cuGraphDestroy) \
  X(cuGraphExecDestroy)
// clang-format on

namespace kgen::cuda {

/// Addresses in the driver, one member a function, named as the versioned symbol is.
struct DriverTable {
#define KGEN_CUDA_MEMBER(name) decltype(&::name) name = nullptr;
  KGEN_CUDA_FUNCTIONS(KGEN_CUDA_MEMBER)
#undef KGEN_CUDA_MEMBER
};

/// Opens libcuda.so.1 and calls cuInit, once a process. Errors: missing (no driver, too old, no device),
/// saying what to do.
Status load_driver();

/// The loaded table. Every member is null before load_driver() succeeded.
const DriverTable& driver();

/// "CUDA_ERROR_ILLEGAL_ADDRESS".
std::string error_name(CUresult code);
/// The driver's own sentence.
std::string error_text(CUresult code);

/// Turns a return code into a Status whose message has the call, its place, the error's name and the driver's
/// sentence.
Status check(CUresult code, const char* call, const char* file, int line);

}  // namespace kgen::cuda

/// KGEN_CHECK(KGEN_CU(cuMemFree, pointer));  a driver call as a Status.
#define KGEN_CU(function, ...) \
  ::kgen::cuda::check(::kgen::cuda::driver().function(__VA_ARGS__), #function, __FILE__, __LINE__)
