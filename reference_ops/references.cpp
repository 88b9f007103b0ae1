#include <algorithm>
#include <thread>

#include "reference_ops/add_relu/reference.hpp"
#include "reference_ops/attention/reference.hpp"
#include "reference_ops/matmul/reference.hpp"
#include "reference_ops/reference.hpp"
#include "reference_ops/rms_norm/reference.hpp"
#include "reference_ops/softmax/reference.hpp"

namespace kgen::reference_ops {
namespace {

constexpr ReferenceEntry kReferences[] = {
    {"add_relu", add_relu}, {"attention", attention}, {"matmul", matmul},
    {"rms_norm", rms_norm}, {"softmax", softmax},
};

}  // namespace

std::span<const ReferenceEntry> references() {
  return kReferences;
}

const ReferenceEntry* find_reference(std::string_view op) {
  for (const auto& entry : kReferences) {
    if (entry.op == op) return &entry;
  }
  return nullptr;
}

void parallel_for(std::int64_t count, int threads,
                  const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t parts = std::clamp<std::int64_t>(count, 1, std::max(threads, 1));
  std::vector<std::jthread> pool;
  for (std::int64_t part = 1; part < parts; ++part) {
    pool.emplace_back([&, part] { body(count * part / parts, count * (part + 1) / parts); });
  }
  body(0, count / parts);
}

}  // namespace kgen::reference_ops
