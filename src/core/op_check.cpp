#include <algorithm>
#include <cctype>
#include <cmath>
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

/// Names that no tensor can have: its type NAME_t in the prelude would be another's.
bool names_a_type(const std::string& name) {
  static const std::set<std::string> taken = {
      "size",        "ptrdiff",     "wchar",       "char16",       "char32",       "clock",
      "int8",        "int16",       "int32",       "int64",        "uint8",        "uint16",
      "uint32",      "uint64",      "int_fast8",   "int_fast16",   "int_fast32",   "int_fast64",
      "uint_fast8",  "uint_fast16", "uint_fast32", "uint_fast64",  "int_least8",   "int_least16",
      "int_least32", "int_least64", "uint_least8", "uint_least16", "uint_least32", "uint_least64",
      "intptr",      "uintptr",     "intmax",      "uintmax",      "cuuint32",     "cuuint64",
      "cudaError",   "cudaStream",  "cudaEvent"};
  return taken.contains(name);
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
  for (const auto& tensor : op.tensors) {
    KGEN_CHECK(claim(tensor.name, "tensor"));
    if (names_a_type(tensor.name))
      return problem(where, "tensor '" + tensor.name + "' cannot be named so: " + tensor.name +
                                "_t, its type in kernels, is a type of the language's own");
  }
  return {};
}

bool is_float(const Op& op, const Tensor& tensor) {
  const DType dtype = tensor.dtype == "T" ? op.dtypes.front() : *parse_dtype(tensor.dtype);
  return facts_of(dtype).is_float;
}

Status check_tolerances(const Op& op, const std::string& where) {
  for (const auto& [name, tolerance] : op.tolerances) {
    const Tensor* tensor = op.find_tensor(name);
    if (!tensor || tensor->role == Role::input)
      return problem(where, "tolerance." + name + ": no output has that name");
    if (tolerance.signed_zeros && !is_float(op, *tensor))
      return problem(where, "tolerance." + name + ": zeros: " + name +
                                " holds whole numbers, whose zeros have no sign; expected equal");
  }
  return {};
}

Status check_tensors(const Op& op, const std::string& where) {
  if (op.outputs().empty()) return problem(where, "tensors: no tensor has the role output or inout");
  for (const Tensor* output : op.outputs()) {
    if (is_float(op, *output) && !op.tolerances.contains(output->name)) {
      return problem(where, "tolerance." + output->name + " is missing; every float output needs one");
    }
  }
  for (std::size_t i = 0; i < op.tensors.size(); ++i) {
    const Tensor& tensor = op.tensors[i];
    if (tensor.below.text().empty()) {
      if (!tensor.ends) continue;
      return problem(where, "tensors[" + std::to_string(i) + "]: ends: " + tensor.name +
                                " needs below, one more than what its groups hold together");
    }
    const bool whole = tensor.dtype != "T" && !facts_of(*parse_dtype(tensor.dtype)).is_float;
    if (tensor.role != Role::input || !whole || tensor.dtype == "u4x8")
      return problem(where, "tensors[" + std::to_string(i) +
                                "]: below: is for inputs of an integer dtype, and " + tensor.name + " is " +
                                (tensor.role == Role::input ? "of dtype " + tensor.dtype : "an output"));
  }
  return check_tolerances(op, where);
}

Status check_attributes(const Op& op, const std::string& where) {
  for (const auto& attribute : op.attributes) {
    const std::string at = "attributes." + attribute.name + ": ";
    const bool whole =
        attribute.low == std::floor(attribute.low) && attribute.high == std::floor(attribute.high);
    if (attribute.low > attribute.high) return problem(where, at + "low is above high");
    if (attribute.type == "float" && attribute.low < attribute.high && !(attribute.low > 0))
      return problem(where, at + "low of a real must be above 0: values are drawn log-uniformly");
    if (attribute.type == "int" && !whole) return problem(where, at + "low and high must be whole numbers");
  }
  return {};
}

/// Ends of groups are drawn by kgen, or all groups but one are empty.
Status check_ends(const Generator& generator, const Tensor& tensor, const std::string& field) {
  if (!tensor.ends || generator.kind == GeneratorKind::constant) return {};
  return problem(field, "kind: " + tensor.name +
                            " holds ends of groups: expected constant, or nothing for groups of any size");
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
      const std::string field = where + ": distributions." + distribution.name + ".tensors." + name;
      KGEN_CHECK(check_row_axis(generator, *tensor, field));
      KGEN_CHECK(check_ends(generator, *tensor, field));
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

/// Errors: bad_input, where a baseline speaks of an output that is not there.
Status check_baselines(const Op& op, const std::string& where) {
  for (const Baseline& baseline : op.baselines) {
    for (const std::string& name : baseline.differs_in) {
      const Tensor* tensor = op.find_tensor(name);
      if (!tensor || tensor->role == Role::input)
        return problem(where,
                       "baselines." + baseline.name + ".differs_in: no output has the name '" + name + "'");
    }
  }
  return {};
}

Status check_op(const Op& op, const std::string& where) {
  KGEN_CHECK(check_names(op, where));
  KGEN_CHECK(check_tensors(op, where));
  KGEN_CHECK(check_distributions(op, where));
  KGEN_CHECK(check_baselines(op, where));
  KGEN_CHECK(check_attributes(op, where));
  KGEN_CHECK(check_expressions(std::make_shared<const Op>(op), where));
  return check_shapes(std::make_shared<const Op>(op), where);
}

}  // namespace kgen::core
