#include "harness/cuda/device_query.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "harness/cuda/nvml.hpp"

namespace kgen::cuda {
namespace {

constexpr int kCopies = 7;
constexpr int kMaxPortableCluster = 8;  // CUDA C++ Programming Guide, Thread Block Clusters
constexpr int kMaxHopperCluster = 16;   // with CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED

Result<int> attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  KGEN_CHECK(KGEN_CU(cuDeviceGetAttribute, &value, which, device));
  return value;
}

Result<CUdevice> device_at(int index) {
  KGEN_TRY(const int count, device_count());
  if (index < 0 || index >= count) {
    return fail(ErrorKind::missing, "there is no CUDA device " + std::to_string(index) +
                                        "; this machine has " + std::to_string(count));
  }
  CUdevice device = 0;
  KGEN_CHECK(KGEN_CU(cuDeviceGet, &device, index));
  return device;
}

/// "13.0" of 13000.
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// From Hopper on each chip has instructions of its own, in the `a` target.
std::string arch_of(int compute_capability) {
  return "sm_" + std::to_string(compute_capability) + (compute_capability >= 90 ? "a" : "");
}

/// Double data rate: two transfers a clock. GB/s.
double datasheet_gbs(int memory_clock_khz, int bus_bits) {
  return 2.0 * memory_clock_khz * 1e3 * bus_bits / 8 / 1e9;
}

Status fill_attributes(CUdevice device, core::DeviceFacts& facts) {
  KGEN_TRY(const int major, attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  KGEN_TRY(const int minor, attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  facts.compute_capability = major * 10 + minor;
  facts.arch = arch_of(facts.compute_capability);
  KGEN_TRY(facts.num_sms, attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  KGEN_TRY(facts.max_dynamic_shared,
           attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  KGEN_TRY(facts.shared_per_sm, attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  KGEN_TRY(facts.registers_per_sm, attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
  KGEN_TRY(facts.max_threads_per_sm, attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
  KGEN_TRY(facts.max_blocks_per_sm, attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
  KGEN_TRY(facts.l2_bytes, attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  KGEN_TRY(const int clock, attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE));
  KGEN_TRY(const int width, attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
  facts.datasheet_bandwidth_gbs = datasheet_gbs(clock, width);
  KGEN_TRY(const int sm_clock_khz, attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  facts.max_sm_clock_mhz = sm_clock_khz / 1000;
  KGEN_TRY(const int clusters, attribute(device, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH));
  facts.max_cluster = clusters == 0 ? 1 : major == 9 || major == 10 ? kMaxHopperCluster : kMaxPortableCluster;
  return {};
}

}  // namespace

Result<int> device_count() {
  KGEN_CHECK(load_driver());
  int count = 0;
  KGEN_CHECK(KGEN_CU(cuDeviceGetCount, &count));
  return count;
}

Result<core::DeviceFacts> query_device(int index) {
  KGEN_TRY(const CUdevice device, device_at(index));
  core::DeviceFacts facts;
  facts.kind = core::DeviceKind::cuda;
  facts.index = index;
  std::array<char, 256> name{};
  KGEN_CHECK(KGEN_CU(cuDeviceGetName, name.data(), static_cast<int>(name.size()), device));
  facts.name = name.data();
  KGEN_CHECK(fill_attributes(device, facts));
  std::size_t memory = 0;
  KGEN_CHECK(KGEN_CU(cuDeviceTotalMem, &memory, device));
  facts.memory_bytes = static_cast<std::int64_t>(memory);
  int version = 0;
  KGEN_CHECK(KGEN_CU(cuDriverGetVersion, &version));
  facts.cuda_version = version_text(version);
  KGEN_TRY(const std::string bus, pci_bus_id(index));
  if (const auto nvml = Nvml::open(bus)) facts.driver_version = nvml->driver_version();
  facts.capabilities = core::capabilities_of(facts.compute_capability);
  return facts;
}

Result<std::string> pci_bus_id(int index) {
  KGEN_TRY(const CUdevice device, device_at(index));
  std::array<char, 32> text{};
  KGEN_CHECK(KGEN_CU(cuDeviceGetPCIBusId, text.data(), static_cast<int>(text.size()), device));
  return std::string(text.data());
}

Result<double> measure_copy_gbs(const Context& context) {
  KGEN_TRY(const int l2, attribute(context.device(), CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  std::size_t free_bytes = 0, total_bytes = 0;
  KGEN_CHECK(KGEN_CU(cuMemGetInfo, &free_bytes, &total_bytes));
  const std::int64_t bytes = std::max<std::int64_t>(
      2 * std::int64_t{l2},
      std::min<std::int64_t>(std::int64_t{1} << 30, static_cast<std::int64_t>(free_bytes / 4)));
  KGEN_TRY(const DeviceBuffer from, DeviceBuffer::allocate(bytes));
  KGEN_TRY(const DeviceBuffer to, DeviceBuffer::allocate(bytes));
  KGEN_TRY(const Stream stream, make_stream());
  KGEN_TRY(const Event start, make_event());
  KGEN_TRY(const Event stop, make_event());
  KGEN_CHECK(KGEN_CU(cuMemsetD32Async, from.address(), 0x5a5a1234u, static_cast<std::size_t>(bytes / 4),
                     stream.get()));
  std::vector<double> gbs;
  for (int i = 0; i < kCopies + 1; ++i) {
    KGEN_CHECK(KGEN_CU(cuEventRecord, start.get(), stream.get()));
    KGEN_CHECK(KGEN_CU(cuMemcpyDtoDAsync, to.address(), from.address(), static_cast<std::size_t>(bytes),
                       stream.get()));
    KGEN_CHECK(KGEN_CU(cuEventRecord, stop.get(), stream.get()));
    KGEN_CHECK(KGEN_CU(cuEventSynchronize, stop.get()));
    KGEN_TRY(const double us, elapsed_us(start, stop));
    if (i > 0) gbs.push_back(2.0 * static_cast<double>(bytes) / us / 1e3);  // the first copy warms up
  }
  std::nth_element(gbs.begin(), gbs.begin() + kCopies / 2, gbs.end());
  return gbs[kCopies / 2];
}

}  // namespace kgen::cuda
