#include "harness/judge/roofline.hpp"

#include <algorithm>

namespace kgen::judge {
namespace {

/// Microseconds for bytes at a bandwidth in GB/s.
double microseconds(std::int64_t bytes, double gbs) {
  return gbs > 0 ? static_cast<double>(bytes) / (gbs * 1e3) : 0.0;
}

/// Microseconds for operations at a rate a second.
double product_time(std::int64_t flops, double rate) {
  return rate > 0 ? static_cast<double>(flops) / rate * 1e6 : 0.0;
}

/// Bytes that must come from memory and go there: inputs and outputs, or what the op's cost says where that
/// is less (rows that no index names), without the outputs that may stay in the L2.
std::int64_t least_traffic(const std::vector<core::TensorFacts>& tensors, std::int64_t cost_bytes,
                           std::int64_t l2_bytes) {
  std::int64_t in = 0, out = 0;
  for (const auto& tensor : tensors) {
    if (tensor.role != core::Role::output) in += tensor.bytes;
    if (tensor.role != core::Role::input) out += tensor.bytes;
  }
  return std::max<std::int64_t>(std::min(in + out, cost_bytes) - std::min(out, l2_bytes), 0);
}

}  // namespace

Status fill_floors(const core::Task& task, const core::DeviceFacts& device, core::Timing& timing) {
  KGEN_TRY(const auto cost, core::cost_of(task));
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  const core::Ceiling ceiling = core::bandwidth_ceiling(device);
  const core::ProductCeiling products = core::product_ceiling(device, task.dtype);
  const double products_us = product_time(cost.product_flops, products.flops);
  const double bytes_us = microseconds(cost.bytes, ceiling.gbs);
  timing.floor_us = std::max(bytes_us, products_us);
  timing.ceiling_measured = bytes_us >= products_us ? ceiling.measured : products.measured;
  timing.plausible_floor_us = std::max(
      microseconds(least_traffic(tensors, cost.bytes, device.l2_bytes), device.datasheet_bandwidth_gbs),
      product_time(cost.product_flops, core::peak_product_flops(device, task.dtype)));
  if (timing.candidate.median_us > 0) {
    timing.percent_of_roofline = 100.0 * timing.floor_us / timing.candidate.median_us;
  }
  return {};
}

}  // namespace kgen::judge
