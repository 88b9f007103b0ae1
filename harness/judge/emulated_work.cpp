#include "harness/judge/emulated_work.hpp"

#include <algorithm>

#include "core/task.hpp"
#include "harness/judge/check_cases.hpp"

namespace kgen::judge {
namespace {

/// Flops that take the emulator about as long as one element of a tensor does.
constexpr std::int64_t kFlopsAnElement = 32;

}  // namespace

std::int64_t emulated_elements(const core::Task& task) {
  std::int64_t elements = 0;
  if (const auto tensors = core::tensors_of(task)) {
    for (const auto& tensor : *tensors) elements += tensor.elements;
  }
  const auto cost = core::cost_of(task);
  return std::max(elements, cost ? cost->flops / kFlopsAnElement : 0);
}

std::int64_t emulated_elements(const MadeShape& shape) {
  const std::int64_t once = emulated_elements(shape.task);
  if (once > kEmulatedOnce) return 0;
  return once <= kEmulatedInPart ? once * shape.distributions : once;
}

}  // namespace kgen::judge
