#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "core/dtype.hpp"
#include "util/error.hpp"

namespace kgen::core {

enum class DeviceKind { cuda, emulator, none };

/// Rates that a device reached when kgen's own kernels measured it (docs/diagnosis.md, Ceilings). 0: not
/// measured.
struct MeasuredRates {
  double l2_gbs = 0;     ///< reads that the L2 answers
  double fma_flops = 0;  ///< f32 multiply-adds without tensor cores, operations a second (two each)
  double f16_flops = 0, bf16_flops = 0, tf32_flops = 0, f8_flops = 0;  ///< tensor cores, accumulating in f32
};

/// What is known of the device at hand. Bandwidths in GB/s (1e9 bytes a second), rates in GFLOP/s, sizes in
/// bytes.
struct DeviceFacts {
  DeviceKind kind = DeviceKind::none;
  int index = 0;
  std::string name;             ///< "NVIDIA H200", "none (compile only)"
  std::string arch = "sm_90a";  ///< what is compiled for
  int compute_capability = 90;  ///< 90 on Hopper; `cc` in expressions
  int num_sms = 132;
  std::int64_t max_dynamic_shared = 232448;  ///< bytes a block, opted in
  std::int64_t shared_per_sm = 233472;
  std::int64_t registers_per_sm = 65536;
  int max_threads_per_sm = 2048;
  int max_blocks_per_sm = 32;
  int max_cluster = 8;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  double datasheet_bandwidth_gbs = 0;  ///< from memory clock and bus width
  int max_sm_clock_mhz = 0;            ///< 0: not known
  double measured_copy_gbs = 0;        ///< device-to-device copy, bytes read plus written; 0: not measured
  MeasuredRates measured;
  std::string driver_version, cuda_version, nvrtc_version;
  std::set<std::string> capabilities;  ///< "wgmma", "tma", "clusters", "cp_async", "mma", ...
};

/// Facts of a device that is not there, by architecture: what a compile-only task is written for (Hopper by
/// default).
Result<DeviceFacts> facts_for_arch(const std::string& arch);

/// What a device of this compute capability can do, in the words of `capabilities`.
std::set<std::string> capabilities_of(int compute_capability);

/// Bandwidth to divide by for a roofline in GB/s, and whether it was measured on the device or is of the
/// datasheet.
struct Ceiling {
  double gbs = 0;
  bool measured = false;
};
Ceiling bandwidth_ceiling(const DeviceFacts& device);

/// Operations a second (two a multiply-add) that the device's quickest instructions for dense products of a
/// dtype with f32 accumulation do at its highest clock: tensor cores, for f32 plain multiply-adds. 0: not
/// known. Per multiprocessor and clock from NVIDIA's architecture white papers (A100, H100, Blackwell).
double peak_product_flops(const DeviceFacts& device, DType dtype);

/// Operations a second to divide a product's by for a roofline: measured on the device where it was, else
/// peak_product_flops(). 0: not known.
struct ProductCeiling {
  double flops = 0;
  bool measured = false;
};
ProductCeiling product_ceiling(const DeviceFacts& device, DType dtype);

nlohmann::json to_json(const MeasuredRates& rates);
/// Throws nlohmann's exceptions, as other readers of parts do. A rate that is not there was not measured.
MeasuredRates measured_rates_from_json(const nlohmann::json& json);

nlohmann::json to_json(const DeviceFacts& device);
Result<DeviceFacts> device_facts_from_json(const nlohmann::json& json);

}  // namespace kgen::core
