#include "core/judged_bytes.hpp"

namespace kgen::core {
namespace {

void add(std::int64_t bytes, std::int64_t& sum) {
  if (__builtin_add_overflow(sum, bytes, &sum)) sum = INT64_MAX;
}

void add_elements(std::int64_t elements, std::int64_t bytes_each, std::int64_t& sum) {
  std::int64_t bytes = 0;
  add(__builtin_mul_overflow(elements, bytes_each, &bytes) ? INT64_MAX : bytes, sum);
}

}  // namespace

Result<std::int64_t> tensor_bytes(const Task& task) {
  KGEN_TRY(const auto tensors, tensors_of(task));
  std::int64_t sum = 0;
  for (const auto& tensor : tensors) add(tensor.bytes, sum);
  return sum;
}

Result<std::int64_t> judged_bytes(const Task& task) {
  KGEN_TRY(const auto tensors, tensors_of(task));
  KGEN_TRY(std::int64_t sum, tensor_bytes(task));
  for (const auto& tensor : tensors) {
    if (tensor.role == Role::input) continue;
    if (tensor.role == Role::inout) add(tensor.bytes, sum);  // its values before an execution
    const auto tolerance = task.op->tolerances.find(tensor.name);
    const bool scale = tolerance != task.op->tolerances.end() && tolerance->second.scale_from_reference;
    add_elements(tensor.elements, scale ? 16 : 8, sum);
  }
  return sum;
}

}  // namespace kgen::core
