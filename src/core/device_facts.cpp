#include "core/device_facts.hpp"

#include <cstdlib>

#include "core/json_fields.hpp"

namespace kgen::core {
namespace {

std::string_view name_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::cuda:
      return "cuda";
    case DeviceKind::emulator:
      return "emulator";
    case DeviceKind::none:
      return "none";
  }
  return "none";
}

DeviceKind parse_kind(const std::string& name) {
  if (name == "cuda") return DeviceKind::cuda;
  return name == "emulator" ? DeviceKind::emulator : DeviceKind::none;
}

// CUDA C++ Programming Guide 13.0, appendix "Compute Capabilities", table of technical specifications.
struct ArchRow {
  int cc;
  const char* arch;
  const char* name;
  int num_sms;
  std::int64_t max_dynamic_shared, shared_per_sm;
  int max_threads_per_sm, max_blocks_per_sm;
  std::int64_t l2_bytes;
};
constexpr ArchRow kArchRows[] = {
    {80, "sm_80", "A100 (not there)", 108, 166912, 167936, 2048, 32, 40 << 20},
    {86, "sm_86", "A10 (not there)", 72, 101376, 102400, 1536, 16, 6 << 20},
    {89, "sm_89", "L40 (not there)", 142, 101376, 102400, 1536, 24, 96 << 20},
    {90, "sm_90a", "H200 (not there)", 132, 232448, 233472, 2048, 32, 60 << 20},
    {100, "sm_100a", "B200 (not there)", 148, 232448, 233472, 2048, 32, 126 << 20},
    {120, "sm_120a", "RTX 5090 (not there)", 170, 101376, 102400, 1536, 24, 96 << 20},
};

}  // namespace

std::set<std::string> capabilities_of(int compute_capability) {
  std::set<std::string> out;
  if (compute_capability >= 70) out.insert({"mma", "shuffle", "cooperative"});
  if (compute_capability >= 80) out.insert({"cp_async", "bf16_mma", "tf32_mma", "ldmatrix", "redux"});
  if (compute_capability >= 89) out.insert("fp8_mma");
  if (compute_capability >= 90) out.insert({"mbarrier", "tma", "clusters", "pdl", "dsmem"});
  if (compute_capability == 90) out.insert({"wgmma", "setmaxnreg"});
  return out;
}

Result<DeviceFacts> facts_for_arch(const std::string& arch) {
  const std::string wanted = arch.empty() ? "sm_90a" : arch;
  std::string known;
  for (const ArchRow& row : kArchRows) {
    known += (known.empty() ? "" : ", ") + std::string(row.arch);
    const std::string exact = row.arch;
    if (wanted != exact && wanted + "a" != exact) continue;
    DeviceFacts facts;
    facts.kind = DeviceKind::none;
    facts.name = std::string("none; compiled for ") + wanted;
    facts.arch = wanted;
    facts.compute_capability = row.cc;
    facts.num_sms = row.num_sms;
    facts.max_dynamic_shared = row.max_dynamic_shared;
    facts.shared_per_sm = row.shared_per_sm;
    facts.max_threads_per_sm = row.max_threads_per_sm;
    facts.max_blocks_per_sm = row.max_blocks_per_sm;
    facts.l2_bytes = row.l2_bytes;
    facts.capabilities = capabilities_of(row.cc);
    if (wanted.back() != 'a') {
      facts.capabilities.erase("wgmma");
      facts.capabilities.erase("setmaxnreg");
    }
    return facts;
  }
  return fail(ErrorKind::bad_input, "unknown architecture '" + wanted + "'", "known: " + known);
}

Ceiling bandwidth_ceiling(const DeviceFacts& device) {
  if (device.measured_copy_gbs > 0) return {device.measured_copy_gbs, true};
  return {device.datasheet_bandwidth_gbs, false};
}

double peak_product_flops(const DeviceFacts& device, DType dtype) {
  struct Row {
    int cc;
    double f32, tf32, half, byte;  ///< a multiprocessor and clock; of 16 and of 8 bits
  };
  constexpr Row kRows[] = {
      {80, 128, 1024, 2048, 0}, {90, 256, 2048, 4096, 8192}, {100, 256, 4096, 8192, 16384}};
  for (const Row& row : kRows) {
    if (row.cc != device.compute_capability) continue;
    const double each = dtype == DType::f32                                ? row.f32
                        : dtype == DType::tf32                             ? row.tf32
                        : dtype == DType::f16 || dtype == DType::bf16      ? row.half
                        : dtype == DType::f8e4m3 || dtype == DType::f8e5m2 ? row.byte
                                                                           : 0;
    return each * device.num_sms * device.max_sm_clock_mhz * 1e6;
  }
  return 0;
}

namespace {

double measured_product_flops(const MeasuredRates& rates, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return rates.fma_flops;
    case DType::tf32:
      return rates.tf32_flops;
    case DType::f16:
      return rates.f16_flops;
    case DType::bf16:
      return rates.bf16_flops;
    case DType::f8e4m3:
    case DType::f8e5m2:
      return rates.f8_flops;
    default:
      return 0;
  }
}

}  // namespace

ProductCeiling product_ceiling(const DeviceFacts& device, DType dtype) {
  const double measured = measured_product_flops(device.measured, dtype);
  return measured > 0 ? ProductCeiling{measured, true}
                      : ProductCeiling{peak_product_flops(device, dtype), false};
}

nlohmann::json to_json(const MeasuredRates& rates) {
  return {{"l2_gbs", rates.l2_gbs},         {"fma_flops", rates.fma_flops},   {"f16_flops", rates.f16_flops},
          {"bf16_flops", rates.bf16_flops}, {"tf32_flops", rates.tf32_flops}, {"f8_flops", rates.f8_flops}};
}

MeasuredRates measured_rates_from_json(const nlohmann::json& json) {
  MeasuredRates out;
  out.l2_gbs = json.value("l2_gbs", 0.0);
  out.fma_flops = json.value("fma_flops", 0.0);
  out.f16_flops = json.value("f16_flops", 0.0);
  out.bf16_flops = json.value("bf16_flops", 0.0);
  out.tf32_flops = json.value("tf32_flops", 0.0);
  out.f8_flops = json.value("f8_flops", 0.0);
  return out;
}

nlohmann::json to_json(const DeviceFacts& d) {
  return {{"kind", name_of(d.kind)},
          {"index", d.index},
          {"name", d.name},
          {"arch", d.arch},
          {"compute_capability", d.compute_capability},
          {"num_sms", d.num_sms},
          {"max_dynamic_shared", d.max_dynamic_shared},
          {"shared_per_sm", d.shared_per_sm},
          {"registers_per_sm", d.registers_per_sm},
          {"max_threads_per_sm", d.max_threads_per_sm},
          {"max_blocks_per_sm", d.max_blocks_per_sm},
          {"max_cluster", d.max_cluster},
          {"l2_bytes", d.l2_bytes},
          {"memory_bytes", d.memory_bytes},
          {"datasheet_bandwidth_gbs", d.datasheet_bandwidth_gbs},
          {"max_sm_clock_mhz", d.max_sm_clock_mhz},
          {"measured_copy_gbs", d.measured_copy_gbs},
          {"measured", to_json(d.measured)},
          {"driver_version", d.driver_version},
          {"cuda_version", d.cuda_version},
          {"nvrtc_version", d.nvrtc_version},
          {"capabilities", d.capabilities}};
}

Result<DeviceFacts> device_facts_from_json(const nlohmann::json& json) {
  return read_json("device facts", [&] {
    DeviceFacts d;
    d.kind = parse_kind(json.at("kind").get<std::string>());
    json.at("index").get_to(d.index);
    json.at("name").get_to(d.name);
    json.at("arch").get_to(d.arch);
    json.at("compute_capability").get_to(d.compute_capability);
    json.at("num_sms").get_to(d.num_sms);
    json.at("max_dynamic_shared").get_to(d.max_dynamic_shared);
    json.at("shared_per_sm").get_to(d.shared_per_sm);
    json.at("registers_per_sm").get_to(d.registers_per_sm);
    json.at("max_threads_per_sm").get_to(d.max_threads_per_sm);
    json.at("max_blocks_per_sm").get_to(d.max_blocks_per_sm);
    json.at("max_cluster").get_to(d.max_cluster);
    json.at("l2_bytes").get_to(d.l2_bytes);
    json.at("memory_bytes").get_to(d.memory_bytes);
    json.at("datasheet_bandwidth_gbs").get_to(d.datasheet_bandwidth_gbs);
    d.max_sm_clock_mhz = json.value("max_sm_clock_mhz", 0);
    json.at("measured_copy_gbs").get_to(d.measured_copy_gbs);
    // Workers and runs of before had none.
    d.measured = measured_rates_from_json(json.value("measured", nlohmann::json::object()));
    json.at("driver_version").get_to(d.driver_version);
    json.at("cuda_version").get_to(d.cuda_version);
    json.at("nvrtc_version").get_to(d.nvrtc_version);
    json.at("capabilities").get_to(d.capabilities);
    return d;
  });
}

}  // namespace kgen::core
