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
    if (is_such(tensor) && !is_named(op, tensor)) names.push_back(tensor.name);
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

bool has_sums(const Op& op) {
  return std::ranges::any_of(op.tolerances, [](const auto& of) { return of.second.length.text() != "1"; });
}

std::string unused_name(const Op& op, std::string name) {
  while (std::ranges::find(op.distributions, name, &Distribution::name) != op.distributions.end())
    name += "_";
  return name;
}

}  // namespace

bool is_named(const Op& op, const Tensor& tensor) {
  return std::ranges::any_of(op.distributions,
                             [&](const Distribution& each) { return each.per_tensor.contains(tensor.name); });
}

void add_index_distributions(Op& op) {
  if (op.distributions.empty()) return;
  const auto indices = unnamed(op, is_index), masks = unnamed(op, is_mask);
  const bool is_summed = has_sums(op);
  const auto add = [&](const std::string& suffix, const Generator& of_indices, const Generator& of_masks) {
    Distribution added = op.distributions.front();
    added.name = unused_name(op, added.name + suffix);
    added.screen = added.with_attributes = false;
    added.compare_equal = added.compare_equal && !is_summed;
    added.is_added = true;
    for (const auto& name : indices) added.per_tensor.emplace(name, of_indices);
    for (const auto& name : masks) added.per_tensor.emplace(name, of_masks);
    op.distributions.push_back(std::move(added));
  };
  constexpr double kMany = 1 << 30;  // folded into the range of an index
  // Of ramps that are rounded to 0 or 1, a quarter of the rows is one of the two everywhere.
  const Generator few_set = of_kind(GeneratorKind::ramp, 0, 0, 2),
                  few_clear = of_kind(GeneratorKind::ramp, 1, -2, 0);
  // Terms of a sum that are all alike err alike, which its tolerance may not grant: of these a sixth are 0,
  // and the others mixed in between are any.
  const Generator near_ends =
      is_summed ? of_kind(GeneratorKind::log_scale, 0, -4, 12) : of_kind(GeneratorKind::integers, 0, -1, 1);
  if (!indices.empty() || !masks.empty()) add("_at_ends", near_ends, few_set);
  if (!masks.empty() || (!indices.empty() && !is_summed))
    add("_in_runs", is_summed ? near_ends : of_kind(GeneratorKind::runs, 0, 0, kMany), few_clear);
}

}  // namespace kgen::core
