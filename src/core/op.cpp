#include "core/op.hpp"

#include <algorithm>
#include <cmath>

namespace kgen::core {
namespace {

template <class Keep>
std::vector<const Tensor*> select(const std::vector<Tensor>& tensors, Keep keep) {
  std::vector<const Tensor*> out;
  for (const Tensor& tensor : tensors) {
    if (keep(tensor.role)) out.push_back(&tensor);
  }
  return out;
}

}  // namespace

const Tensor* Op::find_tensor(std::string_view tensor) const {
  for (const Tensor& t : tensors) {
    if (t.name == tensor) return &t;
  }
  return nullptr;
}

std::vector<const Tensor*> Op::inputs() const {
  return select(tensors, [](Role role) { return role != Role::output; });
}

std::vector<const Tensor*> Op::outputs() const {
  return select(tensors, [](Role role) { return role != Role::input; });
}

bool Op::has_rule_for(std::string_view named) const {
  return std::ranges::any_of(dim_rules, [&](const std::string& rule) {
    const auto expr = util::Expr::parse(rule);
    return expr && std::ranges::count(expr->names(), named) > 0;
  });
}

bool Op::is_varied(const Attribute& attribute) const {
  if (attribute.type == "bool" || attribute.has_range()) return true;
  const bool has_shape = std::ranges::any_of(check_shapes, [&](const CheckShape& shape) {
    const auto found = shape.attributes.find(attribute.name);
    return found != shape.attributes.end() && found->second != attribute.default_value;
  });
  return has_shape || (attribute.type == "int" && has_rule_for(attribute.name));
}

bool Distribution::meets_special_values() const {
  const auto is_special = [](const Generator& of) {
    return of.kind == GeneratorKind::non_finite || of.kind == GeneratorKind::special ||
           of.kind == GeneratorKind::bits || of.kind == GeneratorKind::masked_runs ||
           !std::isfinite(of.low) || !std::isfinite(of.high);
  };
  return is_special(values) ||
         std::ranges::any_of(per_tensor, [&](const auto& of) { return is_special(of.second); });
}

bool Op::meets_special_values() const {
  return std::ranges::any_of(distributions, &Distribution::meets_special_values);
}

}  // namespace kgen::core
