#include "harness/cuda/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace kgen::cuda {
namespace {

// NVML's stable C ABI, from its API reference: the toolkit does not always bring nvml.h.
using NvmlReturn = int;
using NvmlDevice = void*;
struct NvmlMemory {
  unsigned long long total, free, used;
};
constexpr unsigned kClockSm = 1, kClockMemory = 2, kTemperatureGpu = 0;

struct NvmlTable {
  NvmlReturn (*nvmlInit_v2)() = nullptr;
  const char* (*nvmlErrorString)(NvmlReturn) = nullptr;
  NvmlReturn (*nvmlDeviceGetHandleByPciBusId_v2)(const char*, NvmlDevice*) = nullptr;
  NvmlReturn (*nvmlDeviceGetClockInfo)(NvmlDevice, unsigned, unsigned*) = nullptr;
  NvmlReturn (*nvmlDeviceGetPowerUsage)(NvmlDevice, unsigned*) = nullptr;
  NvmlReturn (*nvmlDeviceGetTemperature)(NvmlDevice, unsigned, unsigned*) = nullptr;
  NvmlReturn (*nvmlDeviceGetCurrentClocksThrottleReasons)(NvmlDevice, unsigned long long*) = nullptr;
  NvmlReturn (*nvmlDeviceGetMemoryInfo)(NvmlDevice, NvmlMemory*) = nullptr;
  NvmlReturn (*nvmlSystemGetDriverVersion)(char*, unsigned) = nullptr;
};

NvmlTable g_nvml;

Status check_nvml(NvmlReturn code, const char* call) {
  if (code == 0) return {};
  return fail(ErrorKind::missing, std::string(call) + ": " + g_nvml.nvmlErrorString(code));
}

Status load_nvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return fail(ErrorKind::missing, "NVML is not there: libnvidia-ml.so.1 cannot be opened",
                "clocks, power and throttling are not recorded without it; it comes with the NVIDIA driver");
  }
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) missing = name;
  };
#define KGEN_NVML_FIND(name) find(g_nvml.name, #name)
  KGEN_NVML_FIND(nvmlInit_v2);
  KGEN_NVML_FIND(nvmlErrorString);
  KGEN_NVML_FIND(nvmlDeviceGetHandleByPciBusId_v2);
  KGEN_NVML_FIND(nvmlDeviceGetClockInfo);
  KGEN_NVML_FIND(nvmlDeviceGetPowerUsage);
  KGEN_NVML_FIND(nvmlDeviceGetTemperature);
  KGEN_NVML_FIND(nvmlDeviceGetCurrentClocksThrottleReasons);
  KGEN_NVML_FIND(nvmlDeviceGetMemoryInfo);
  KGEN_NVML_FIND(nvmlSystemGetDriverVersion);
#undef KGEN_NVML_FIND
  if (missing != nullptr) return fail(ErrorKind::missing, std::string("NVML has no ") + missing);
  return check_nvml(g_nvml.nvmlInit_v2(), "nvmlInit");
}

}  // namespace

Result<Nvml> Nvml::open(const std::string& pci_bus_id) {
  static const Status loaded = load_nvml();
  KGEN_CHECK(Status(loaded));
  NvmlDevice device = nullptr;
  KGEN_CHECK(check_nvml(g_nvml.nvmlDeviceGetHandleByPciBusId_v2(pci_bus_id.c_str(), &device),
                        "nvmlDeviceGetHandleByPciBusId"));
  return Nvml(device);
}

DeviceState Nvml::state() const {
  DeviceState out;
  unsigned value = 0;
  if (g_nvml.nvmlDeviceGetClockInfo(device_, kClockSm, &value) == 0) out.sm_clock_mhz = value;
  if (g_nvml.nvmlDeviceGetClockInfo(device_, kClockMemory, &value) == 0) out.memory_clock_mhz = value;
  if (g_nvml.nvmlDeviceGetPowerUsage(device_, &value) == 0) out.power_w = value / 1000.0;
  if (g_nvml.nvmlDeviceGetTemperature(device_, kTemperatureGpu, &value) == 0) out.temperature_c = value;
  unsigned long long reasons = 0;
  if (g_nvml.nvmlDeviceGetCurrentClocksThrottleReasons(device_, &reasons) == 0)
    out.throttle = throttle_text(reasons);
  NvmlMemory memory{};
  if (g_nvml.nvmlDeviceGetMemoryInfo(device_, &memory) == 0) {
    out.memory_used_bytes = static_cast<std::int64_t>(memory.used);
    out.memory_total_bytes = static_cast<std::int64_t>(memory.total);
  }
  return out;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  return g_nvml.nvmlSystemGetDriverVersion(text.data(), text.size()) == 0 ? text.data() : "";
}

// nvmlClocksEventReason* of the NVML API reference. Idleness (0x1) and a fixed application clock (0x2) slow
// nothing down.
std::string throttle_text(std::uint64_t reasons) {
  static constexpr std::pair<std::uint64_t, const char*> kReasons[] = {
      {0x4, "power cap"},           {0x8, "hardware slowdown"},   {0x10, "sync boost"},
      {0x20, "thermal (software)"}, {0x40, "thermal (hardware)"}, {0x80, "power brake"}};
  std::string out;
  for (const auto& [bit, text] : kReasons) {
    if ((reasons & bit) != 0) out += (out.empty() ? "" : ", ") + std::string(text);
  }
  return out;
}

}  // namespace kgen::cuda
