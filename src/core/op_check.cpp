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

/// The names that an op claims so far.
class ClaimedNames {
 public:
  explicit ClaimedNames(std::string where) : where_(std::move(where)) {}

  /// The `index`th `what`, listed under the field `list`.
  Status claim(const std::string& name, const std::string& what, const char* list, std::size_t index) {
    const std::string at = where_ + ": " + list + "[" + std::to_string(index) + "]: name";
    const std::string of = what + " '" + name + "' ";
    if (!is_identifier(name)) return problem(at, of + "is no identifier");
    if (parse_dtype(name) || !seen_.insert(name).second)
      return problem(at, of + "is taken by another dim, attribute, tensor or built-in name");
    return {};
  }

 private:
  std::string where_;
  std::set<std::string> seen_ = {
      "num_sms", "max_dynamic_shared", "l2_bytes", "cc", "T", "sizeof", "numel", "bytes", "dtype"};
};

Status check_names(const Op& op, const std::string& where) {
  if (!is_identifier(op.name)) return problem(where, "name '" + op.name + "' is no identifier");
  ClaimedNames names(where);
  for (std::size_t i = 0; i < op.dim_names.size(); ++i)
    KGEN_CHECK(names.claim(op.dim_names[i], "dim", "dims", i));
  for (std::size_t i = 0; i < op.attributes.size(); ++i)
    KGEN_CHECK(names.claim(op.attributes[i].name, "attribute", "attributes", i));
  for (std::size_t i = 0; i < op.tensors.size(); ++i) {
    const std::string& name = op.tensors[i].name;
    KGEN_CHECK(names.claim(name, "tensor", "tensors", i));
    if (names_a_type(name))
      return problem(where, "tensors[" + std::to_string(i) + "]: name: tensor '" + name +
                                "' cannot be named so: " + name +
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
  KGEN_CHECK(check_tolerances(op, where));
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
  return {};
}

/// What a default must be by its attribute's type; empty: it is.
std::string expected_default(const Attribute& attribute) {
  const double value = attribute.default_value;
  if (!std::isfinite(value)) return "a finite number";
  if (attribute.type == "bool" && value != 0 && value != 1) return "true or false";
  const bool whole = value == std::floor(value) && std::fabs(value) < 9e15;
  return attribute.type == "int" && !whole ? "a whole number" : "";
}

Status check_attributes(const Op& op, const std::string& where) {
  for (std::size_t i = 0; i < op.attributes.size(); ++i) {
    const Attribute& attribute = op.attributes[i];
    const std::string at = "attributes[" + std::to_string(i) + "]: ";
    if (const std::string expected = expected_default(attribute); !expected.empty())
      return problem(
          where, at + "default: is " + attribute_text(attribute.default_value) + "; expected " + expected);
    if (attribute.type == "float" && attribute.has_range() && !(attribute.low > 0))
      return problem(where, at + "low: low of a real must be above 0: values are drawn log-uniformly");
    if (attribute.type != "int") continue;
    const bool whole =
        attribute.low == std::floor(attribute.low) && attribute.high == std::floor(attribute.high);
    if (!whole) return problem(where, at + "low: low and high of an int must be whole numbers");
    const bool outside = attribute.default_value < attribute.low || attribute.default_value > attribute.high;
    if (attribute.has_range() && outside && !op.has_rule_for(attribute.name))
      return problem(where, at + "default: is " + attribute_text(attribute.default_value) +
                                ", outside low to high (" + attribute_text(attribute.low) + " to " +
                                attribute_text(attribute.high) + "), and no rule says what it may be");
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

/// An extent or a cost: it is at least 0 at the default task, too.
Status check_amount(const util::Expr& expr, const util::Scope& scope, const std::string& field) {
  KGEN_CHECK(check_expr(expr, scope, field));
  const auto value = expr.evaluate(scope);
  if (*value >= 0) return {};
  return problem(field, "'" + expr.text() + "' is " + std::to_string(*value) + " at the defaults");
}

Status check_rules_at_defaults(const Task& task, const util::Scope& scope, const std::string& where) {
  for (std::size_t i = 0; i < task.op->dim_rules.size(); ++i) {
    const std::string& rule = task.op->dim_rules[i];
    const std::string field = where + ": rules[" + std::to_string(i) + "]";
    const auto expr = util::Expr::parse(rule);
    if (!expr) return problem(field, "'" + rule + "' is no expression: " + expr.error().message);
    KGEN_CHECK(check_expr(*expr, scope, field));
    if (*expr->evaluate(scope) != 0) continue;
    std::string defaults = describe_dims(task);
    for (const auto& [name, value] : task.attributes) defaults += "," + name + "=" + attribute_text(value);
    return problem(field, "'" + rule + "' is false at the defaults, " + defaults);
  }
  return {};
}

/// A tensor by itself at the default task: its extents, the rows that generators see, the bound of its
/// values.
Status check_tensor(const Task& task, std::size_t index, const util::Scope& scope, const std::string& where) {
  const Tensor& tensor = task.op->tensors[index];
  const std::string field = where + ": tensors[" + std::to_string(index) + "]";
  for (std::size_t j = 0; j < tensor.shape.size(); ++j)
    KGEN_CHECK(check_amount(tensor.shape[j], scope, field + ": shape[" + std::to_string(j) + "]"));
  const bool has_axis = !tensor.row_axis.text().empty(), has_bound = !tensor.below.text().empty();
  if (has_axis) KGEN_CHECK(check_expr(tensor.row_axis, scope, field + ": row_axis"));
  if (has_bound) KGEN_CHECK(check_expr(tensor.below, scope, field + ": below"));
  const auto facts = tensor_of(task, tensor);
  if (facts) return {};
  const std::string text = facts.error().text();
  const bool of_axis = text.starts_with("row_axis");
  const bool of_bound = has_bound && text.find(" holds ") != std::string::npos;
  return problem(field + (of_axis ? ": row_axis" : of_bound ? ": below" : ""), text);
}

Status check_expressions(const std::shared_ptr<const Op>& op, const std::string& where) {
  Task task{op, op->default_dtype, op->default_dims, {}};
  for (const auto& attribute : op->attributes) task.attributes[attribute.name] = attribute.default_value;
  const auto dims = scope_of(task, {});
  KGEN_CHECK(check_rules_at_defaults(task, dims, where));
  for (std::size_t i = 0; i < op->tensors.size(); ++i) KGEN_CHECK(check_tensor(task, i, dims, where));
  KGEN_TRY(const auto tensors, tensors_of(task));
  const auto scope = scope_of(task, tensors);
  KGEN_CHECK(check_amount(op->flops, scope, where + ": cost: flops"));
  KGEN_CHECK(check_amount(op->bytes, scope, where + ": cost: bytes"));
  if (!op->product_flops.text().empty())
    KGEN_CHECK(check_amount(op->product_flops, scope, where + ": cost: product_flops"));
  for (const auto& [name, tolerance] : op->tolerances) {
    KGEN_CHECK(check_expr(tolerance.length, scope, where + ": tolerance." + name + ": length"));
    KGEN_CHECK(check_expr(tolerance.steps, scope, where + ": tolerance." + name + ": steps"));
    KGEN_CHECK(check_expr(tolerance.value_steps, scope, where + ": tolerance." + name + ": value_steps"));
  }
  if (const auto gemm = gemm_of(task); !gemm) return problem(where, "gemm: " + gemm.error().text());
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
    if (cost->flops < 0 || cost->bytes < 0)
      return problem(where, name + ": cost: " + (cost->flops < 0 ? "flops" : "bytes") + " is negative there");
    const auto scope = scope_of(*task, *tensors);
    for (const auto& [tensor, tolerance] : op->tolerances) {
      for (const auto* expr : {&tolerance.length, &tolerance.steps, &tolerance.value_steps}) {
        auto value = expr->evaluate(scope);
        if (!value) return at(value.error());
        if (*value < 0)
          return problem(where, name + ": tolerance." + tensor + ": " + expr->text() + " is " +
                                    std::to_string(*value) + " there; expected 0 or more");
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
