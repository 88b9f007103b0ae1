#include <algorithm>
#include <cctype>
#include <set>

#include "core/gemm.hpp"
#include "core/op.hpp"
#include "core/task.hpp"

// What a specification must satisfy beyond its shape: names that exist, legal extents, a tolerance for every
// float output.
namespace kgen::core {
namespace {

bool is_identifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

Status problem(const std::string& where, const std::string& message) {
  return fail(ErrorKind::bad_input, where + ": " + message);
}

Status check_names(const Op& op, const std::string& where) {
  std::set<std::string> seen = {
      "num_sms", "max_dynamic_shared", "l2_bytes", "cc", "T", "sizeof", "numel", "bytes", "dtype"};
  const auto claim = [&](const std::string& name, const char* what) -> Status {
    if (!is_identifier(name)) return problem(where, std::string(what) + " '" + name + "' is no identifier");
    if (parse_dtype(name) || !seen.insert(name).second) {
      return problem(where, std::string(what) + " '" + name +
                                "' is taken by another dim, attribute, tensor or built-in name");
    }
    return {};
  };
  if (!is_identifier(op.name)) return problem(where, "name '" + op.name + "' is no identifier");
  for (const auto& name : op.dim_names) KGEN_CHECK(claim(name, "dim"));
  for (const auto& attribute : op.attributes) KGEN_CHECK(claim(attribute.name, "attribute"));
  for (const auto& tensor : op.tensors) KGEN_CHECK(claim(tensor.name, "tensor"));
  return {};
}

Status check_tensors(const Op& op, const std::string& where) {
  if (op.outputs().empty()) return problem(where, "tensors: no tensor has the role output or inout");
  for (const Tensor* output : op.outputs()) {
    const bool is_float = output->dtype == "T" ? facts_of(op.dtypes.front()).is_float
                                               : facts_of(*parse_dtype(output->dtype)).is_float;
    if (is_float && !op.tolerances.contains(output->name)) {
      return problem(where, "tolerance." + output->name + " is missing; every float output needs one");
    }
  }
  for (const auto& [name, tolerance] : op.tolerances) {
    const Tensor* tensor = op.find_tensor(name);
    if (!tensor || tensor->role == Role::input)
      return problem(where, "tolerance." + name + ": no output has that name");
  }
  return {};
}

/// Rows along an axis that the tensor does not have.
Status check_row_axis(const Generator& generator, const Tensor& tensor, const std::string& field) {
  if (generator.row_axis >= -static_cast<std::int64_t>(tensor.shape.size())) return {};
  return problem(field, "row_axis is " + std::to_string(generator.row_axis) + ", and " + tensor.name +
                            " has " + std::to_string(tensor.shape.size()) + " axes");
}

Status check_distributions(const Op& op, const std::string& where) {
  if (op.distributions.empty()) return problem(where, "distributions: expected at least one");
  std::set<std::string> seen;
  for (const auto& distribution : op.distributions) {
    if (!seen.insert(distribution.name).second)
      return problem(where, "distributions: '" + distribution.name + "' is named twice");
    for (const auto& [name, generator] : distribution.per_tensor) {
      const Tensor* tensor = op.find_tensor(name);
      if (!tensor || tensor->role == Role::output) {
        return problem(
            where, "distributions." + distribution.name + ".tensors." + name + ": no input has that name");
      }
      KGEN_CHECK(check_row_axis(generator, *tensor,
                                where + ": distributions." + distribution.name + ".tensors." + name));
    }
    for (const Tensor* input : op.inputs()) {
      if (distribution.per_tensor.contains(input->name)) continue;
      KGEN_CHECK(check_row_axis(distribution.values, *input,
                                where + ": distributions." + distribution.name + ".values"));
    }
  }
  return {};
}

/// One expression of a field at the default task, so that a message names the field it stands in.
Status check_expr(const util::Expr& expr, const util::Scope& scope, const std::string& field) {
  const auto value = expr.evaluate(scope);
  if (value) return {};
  return fail(ErrorKind::bad_input, field + ": '" + expr.text() + "': " + value.error().text());
}

Status check_expressions(const std::shared_ptr<const Op>& op, const std::string& where) {
  Task task{op, op->default_dtype, op->default_dims, {}};
  for (const auto& attribute : op->attributes) task.attributes[attribute.name] = attribute.default_value;
  const auto dims = scope_of(task, {});
  for (std::size_t i = 0; i < op->tensors.size(); ++i) {
    const auto& shape = op->tensors[i].shape;
    for (std::size_t j = 0; j < shape.size(); ++j)
      KGEN_CHECK(check_expr(
          shape[j], dims, where + ": tensors[" + std::to_string(i) + "]: shape[" + std::to_string(j) + "]"));
  }
  const auto tensors = tensors_of(task);
  if (!tensors) return problem(where, "dims: " + tensors.error().text());
  const auto scope = scope_of(task, *tensors);
  KGEN_CHECK(check_expr(op->flops, scope, where + ": cost: flops"));
  KGEN_CHECK(check_expr(op->bytes, scope, where + ": cost: bytes"));
  for (const auto& [name, tolerance] : op->tolerances) {
    KGEN_CHECK(check_expr(tolerance.length, scope, where + ": tolerance." + name + ": length"));
    KGEN_CHECK(check_expr(tolerance.steps, scope, where + ": tolerance." + name + ": steps"));
    KGEN_CHECK(check_expr(tolerance.value_steps, scope, where + ": tolerance." + name + ": value_steps"));
  }
  return {};
}

/// Every expression evaluates and every shape is legal: for the default task, the emulator's and each check
/// shape.
Status check_shapes(const std::shared_ptr<const Op>& op, const std::string& where) {
  std::vector<std::pair<std::string, CheckShape>> shapes = {{"dims", {}},
                                                            {"emulator", {op->emulator_dims, {}, false}}};
  for (std::size_t i = 0; i < op->check_shapes.size(); ++i) {
    shapes.emplace_back("shapes[" + std::to_string(i) + "]", op->check_shapes[i]);
  }
  for (const auto& [name, shape] : shapes) {
    const auto at = [&, &field = name](const Error& error) {
      return problem(where, field + ": " + error.text());
    };
    auto task = make_task(op, "", shape.dims, shape.attributes);
    if (!task) return at(task.error());
    auto tensors = tensors_of(*task);
    if (!tensors) return at(tensors.error());
    if (const auto gemm = gemm_of(*task); !gemm) return at(gemm.error());
    auto cost = cost_of(*task);
    if (!cost) return at(cost.error());
    if (cost->flops < 0 || cost->bytes < 0) return problem(where, name + ": cost is negative");
    const auto scope = scope_of(*task, *tensors);
    for (const auto& [tensor, tolerance] : op->tolerances) {
      for (const auto* expr : {&tolerance.length, &tolerance.steps, &tolerance.value_steps}) {
        if (auto value = expr->evaluate(scope); !value) return at(value.error());
      }
    }
  }
  return {};
}

}  // namespace

Status check_op(const Op& op, const std::string& where) {
  KGEN_CHECK(check_names(op, where));
  KGEN_CHECK(check_tensors(op, where));
  KGEN_CHECK(check_distributions(op, where));
  KGEN_CHECK(check_expressions(std::make_shared<const Op>(op), where));
  return check_shapes(std::make_shared<const Op>(op), where);
}

}  // namespace kgen::core
