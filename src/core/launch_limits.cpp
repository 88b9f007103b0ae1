#include "core/launch_limits.hpp"

#include <algorithm>
#include <bit>

#include "core/integer_range.hpp"
#include "core/plan_problem.hpp"

namespace kgen::core {
namespace {

constexpr std::array<std::int64_t, 3> kMaxGrid{2147483647, 65535, 65535};
constexpr std::array<std::int64_t, 3> kMaxBlock{1024, 1024, 64};
constexpr std::int64_t kMaxThreads = 1024;

PlanResult<void> check_each(const std::array<std::int64_t, 3>& values,
                            const std::array<std::int64_t, 3>& limits, const std::string& field) {
  for (std::size_t i = 0; i < 3; ++i)
    if (values[i] < 1 || values[i] > limits[i])
      return plan_problem(element(field, i), std::to_string(values[i]), "1 to " + std::to_string(limits[i]));
  return {};
}

/// Product of values that check_each has bounded.
std::int64_t product(const std::array<std::int64_t, 3>& values) {
  return values[0] * values[1] * values[2];
}

PlanResult<void> check_cluster(const ResolvedLaunch& launch, const DeviceFacts& device,
                               const std::string& field) {
  const std::string where = member(field, "cluster");
  const std::int64_t most = std::max(device.max_cluster, 1);
  KGEN_CHECK(check_each(launch.cluster, {most, most, most}, where));
  if (product(launch.cluster) > most)
    return plan_problem(where, std::to_string(product(launch.cluster)) + " blocks",
                        "at most " + std::to_string(most) + " blocks in a cluster on this device");
  for (std::size_t i = 0; i < 3; ++i)
    if (launch.grid[i] % launch.cluster[i] != 0)
      return plan_problem(
          element(where, i), std::to_string(launch.cluster[i]),
          "a divisor of grid[" + std::to_string(i) + "], which is " + std::to_string(launch.grid[i]));
  return {};
}

/// Blocks that an SM holds at most, by threads and dynamic shared memory alone (registers are not known yet).
std::int64_t resident_blocks(const ResolvedLaunch& launch, const DeviceFacts& device) {
  const std::int64_t threads = (product(launch.block) + 31) / 32 * 32;
  std::int64_t blocks = std::min<std::int64_t>(device.max_blocks_per_sm, device.max_threads_per_sm / threads);
  if (launch.dynamic_shared_bytes > 0)
    blocks = std::min(blocks, device.shared_per_sm / launch.dynamic_shared_bytes);
  return blocks;
}

PlanResult<void> check_cooperative(const ResolvedLaunch& launch, const DeviceFacts& device,
                                   const std::string& field) {
  const std::int64_t room = resident_blocks(launch, device) * device.num_sms;
  // Each factor is bounded (2^31, 2^16, 2^16), so the product fits int64.
  if (product(launch.grid) > room)
    return plan_problem(member(field, "cooperative"), std::to_string(product(launch.grid)) + " blocks",
                        "at most " + std::to_string(room) + " blocks, which " +
                            std::to_string(device.num_sms) +
                            " SMs can hold at once with this block and shared memory");
  return {};
}

bool exactly_representable(std::int64_t value, const DTypeFacts& facts) {
  const std::uint64_t magnitude =
      value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  if (magnitude == 0) return true;
  return static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <=
             facts.significand_bits &&
         static_cast<double>(magnitude) <= facts.max_finite;
}

}  // namespace

PlanResult<void> check_launch_limits(const ResolvedLaunch& launch, const DeviceFacts& device,
                                     const std::string& field, bool has_cluster) {
  KGEN_CHECK(check_each(launch.grid, kMaxGrid, member(field, "grid")));
  KGEN_CHECK(check_each(launch.block, kMaxBlock, member(field, "block")));
  if (product(launch.block) > kMaxThreads)
    return plan_problem(member(field, "block"), std::to_string(product(launch.block)) + " threads",
                        "at most 1024 threads a block");
  if (launch.dynamic_shared_bytes < 0 || launch.dynamic_shared_bytes > device.max_dynamic_shared)
    return plan_problem(member(field, "dynamic_shared_bytes"), std::to_string(launch.dynamic_shared_bytes),
                        "0 to " + std::to_string(device.max_dynamic_shared) + " (max_dynamic_shared)");
  if (has_cluster) KGEN_CHECK(check_cluster(launch, device, field));
  if (launch.cooperative) KGEN_CHECK(check_cooperative(launch, device, field));
  return {};
}

PlanResult<void> check_fill_value(std::int64_t value, DType dtype, const std::string& field) {
  const DTypeFacts& facts = facts_of(dtype);
  const std::string name(facts.name);
  if (facts.is_float) {
    if (exactly_representable(value, facts)) return {};
    return plan_problem(field, std::to_string(value), "a whole number that " + name + " holds exactly");
  }
  const int bits = dtype == DType::b8 ? 1 : static_cast<int>(facts.bytes) * 8;
  const IntegerRange range = integer_range(bits, facts.is_signed);
  if (!range.contains(value))
    return plan_problem(
        field, std::to_string(value),
        std::to_string(range.low) + " to " + std::to_string(range.high) + " (an element of " + name + ")");
  return {};
}

}  // namespace kgen::core
