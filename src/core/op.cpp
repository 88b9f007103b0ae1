#include "core/op.hpp"

#include <algorithm>

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

}  // namespace kgen::core
