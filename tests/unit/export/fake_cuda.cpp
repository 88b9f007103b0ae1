// A libcuda.so.1 without a GPU: it writes what it is asked to do to stdout, a line a call, and does nothing.
#include <cuda.h>

#include <cstdio>
#include <cstring>

namespace {

void print_bytes(const void* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::printf("%02x", static_cast<const unsigned char*>(bytes)[i]);
}

template <class T>
void print_list(const char* name, const T* values, unsigned count) {
  std::printf(" %s", name);
  for (unsigned i = 0; i < count; ++i) std::printf(" %lld", static_cast<long long>(values[i]));
}

// Functions are numbered in the order they are looked up.
const char* g_names[16];
std::size_t g_count = 0;
unsigned char g_maps = 0;

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = 132;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = 232448;
      break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      *value = 62914560;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    default:
      *value = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice) {
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) {
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  *module = reinterpret_cast<CUmodule>(1);
  std::printf("load %s\n", static_cast<const char*>(image));
  return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule) {
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  g_names[g_count] = name;
  *function = reinterpret_cast<CUfunction>(++g_count);
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  std::printf("opt_in %s %d %d\n", g_names[reinterpret_cast<std::size_t>(function) - 1],
              static_cast<int>(attribute), value);
  return CUDA_SUCCESS;
}
/// Every parameter of the launcher's lies in 128 bytes of its own: the first 8 are printed.
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void**) {
  std::printf("launch %s grid %u %u %u block %u %u %u shared %u stream %zu",
              g_names[reinterpret_cast<std::size_t>(function) - 1], config->gridDimX, config->gridDimY,
              config->gridDimZ, config->blockDimX, config->blockDimY, config->blockDimZ,
              config->sharedMemBytes, reinterpret_cast<std::size_t>(config->hStream));
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      std::printf(" cluster %u %u %u", attribute.value.clusterDim.x, attribute.value.clusterDim.y,
                  attribute.value.clusterDim.z);
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) std::printf(" cooperative");
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) std::printf(" pdl");
  }
  std::printf(" args");
  const char* const count = std::strrchr(g_names[reinterpret_cast<std::size_t>(function) - 1], '_');
  const int arguments = count != nullptr ? count[1] - '0' : 0;  // a test's kernel ends in _N: N parameters
  for (int i = 0; i < arguments; ++i) {
    std::printf(" ");
    print_bytes(parameters[i], 8);
  }
  std::printf("\n");
  return CUDA_SUCCESS;
}
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* dims, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  std::memset(map, 0, sizeof *map);
  std::memset(map, ++g_maps, 8);
  std::printf("map %d at %zu", static_cast<int>(type), reinterpret_cast<std::size_t>(address));
  print_list("dims", dims, rank);
  print_list("strides", strides, rank - 1);
  print_list("box", box, rank);
  print_list("element_strides", element_strides, rank);
  std::printf(" modes %d %d %d %d\n", static_cast<int>(interleave), static_cast<int>(swizzle),
              static_cast<int>(promotion), static_cast<int>(fill));
  return CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream) {
  std::printf("fill8 %llu %x %zu\n", at, value, count);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream) {
  std::printf("fill16 %llu %x %zu\n", at, value, count);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream) {
  std::printf("fill32 %llu %x %zu\n", at, value, count);
  return CUDA_SUCCESS;
}
CUresult cuMemsetD2D32Async(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width,
                            std::size_t height, CUstream) {
  std::printf("fill2d %llu %zu %x %zu %zu\n", at, pitch, value, width, height);
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr*, std::size_t) {
  return CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree_v2(CUdeviceptr) {
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void*, std::size_t) {
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH_v2(void*, CUdeviceptr, std::size_t) {
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream) {
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "a fake error";
  return CUDA_SUCCESS;
}
}
