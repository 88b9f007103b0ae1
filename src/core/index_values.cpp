#include "core/index_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace kgen::core {
namespace {

bool is_mask(const Tensor& tensor) {
  return tensor.role != Role::output && tensor.dtype == name_of(DType::b8);
}

bool is_index(const Tensor& tensor) {
  return !tensor.below.text().empty() && !tensor.ends;
}

/// The names of such tensors as no distribution names.
std::vector<std::string> unnamed(const Op& op, bool (*is_such)(const Tensor&)) {
  std::vector<std::string> names;
  for (const Tensor& tensor : op.tensors) {
    const bool is_named = std::ranges::any_of(
        op.distributions, [&](const Distribution& each) { return each.per_tensor.contains(tensor.name); });
    if (is_such(tensor) && !is_named) names.push_back(tensor.name);
  }
  return names;
}

Generator of_kind(GeneratorKind kind, double mean, double low, double high) {
  Generator out;
  out.kind = kind;
  out.mean = mean;
  out.low = low;
  out.high = high;
  return out;
}

}  // namespace

void add_index_distributions(Op& op) {
  if (op.distributions.empty()) return;
  const auto indices = unnamed(op, is_index), masks = unnamed(op, is_mask);
  if (indices.empty() && masks.empty()) return;
  const bool has_sums = std::ranges::any_of(
      op.tolerances, [](const auto& of_output) { return of_output.second.length.text() != "1"; });
  Distribution base = op.distributions.front();
  base.screen = base.with_attributes = false;
  base.compare_equal =
      base.compare_equal && !has_sums;  // of many equal indices a sum may have no exact order
  const auto add = [&](const std::string& suffix, const Generator& of_indices, const Generator& of_masks) {
    Distribution added = base;
    added.name += suffix;
    for (const auto& name : indices) added.per_tensor.emplace(name, of_indices);
    for (const auto& name : masks) added.per_tensor.emplace(name, of_masks);
    op.distributions.push_back(std::move(added));
  };
  constexpr double kMany = 1 << 30;  // folded into the range of an index
  // Of ramps that are rounded to 0 or 1, a quarter of the rows is one of the two everywhere.
  add("_at_ends", of_kind(GeneratorKind::integers, 0, -1, 1), of_kind(GeneratorKind::ramp, 0, 0, 2));
  add("_in_runs", of_kind(GeneratorKind::runs, 0, 0, kMany), of_kind(GeneratorKind::ramp, 1, -2, 0));
}

}  // namespace kgen::core
