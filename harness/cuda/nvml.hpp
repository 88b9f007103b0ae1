#pragma once

#include <cstdint>
#include <string>

#include "util/error.hpp"

namespace kgen::cuda {

/// State of the device at one moment. -1 and an empty text where the device does not say.
struct DeviceState {
  double sm_clock_mhz = -1, memory_clock_mhz = -1;
  double power_w = -1, temperature_c = -1;
  std::int64_t memory_used_bytes = -1, memory_total_bytes = -1;
  std::string
      throttle;  ///< reasons that slow it ("power cap, thermal (software)"), not idleness; empty: none
};

/// One device of libnvidia-ml.so.1. Absent NVML is a `missing` error, to be said and lived with.
class Nvml {
 public:
  /// `pci_bus_id` as cuda::pci_bus_id() gives it.
  static Result<Nvml> open(const std::string& pci_bus_id);
  DeviceState state() const;
  /// "580.159.03"; empty where it is not said.
  std::string driver_version() const;

 private:
  explicit Nvml(void* device) : device_(device) {}
  void* device_ = nullptr;
};

/// The reasons in NVML's bit mask that make a device slower, in words, joined by ", ". Idleness is none.
std::string throttle_text(std::uint64_t reasons);

}  // namespace kgen::cuda
