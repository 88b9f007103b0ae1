#include "core/task.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "util/text.hpp"

namespace kgen::core {
namespace {

std::string names_or_none(const std::vector<std::string>& names) {
  return names.empty() ? "none" : util::join(names);
}

std::vector<std::string> attribute_names(const Op& op) {
  std::vector<std::string> names;
  for (const auto& attribute : op.attributes) names.push_back(attribute.name);
  return names;
}

Status set_dims(const Op& op, const Dims& dims, Task& task) {
  for (const auto& [name, value] : dims) {
    const auto min = op.min_dims.find(name);
    if (min == op.min_dims.end()) {
      return fail(ErrorKind::bad_input, op.name + " has no dim '" + name + "'",
                  "its dims: " + names_or_none(op.dim_names));
    }
    if (value < min->second) {
      return fail(ErrorKind::bad_input,
                  op.name + ": " + name + "=" + std::to_string(value) + " is not allowed",
                  name + " must be at least " + std::to_string(min->second));
    }
    task.dims[name] = value;
  }
  return {};
}

/// A real has its range, and what the op's file names itself: the default and those of check shapes (a 0,
/// which no range has).
bool is_in_range(const Op& op, const Attribute& attribute, double value) {
  if (attribute.type != "float" || !attribute.has_range()) return true;
  // As kernels get it, in f32: 1e-12 so rounded is another number.
  const auto rounded = static_cast<float>(value);
  const bool is_inside =
      rounded >= static_cast<float>(attribute.low) && rounded <= static_cast<float>(attribute.high);
  if (is_inside || value == attribute.default_value) return true;
  return std::ranges::any_of(op.check_shapes, [&](const CheckShape& shape) {
    const auto found = shape.attributes.find(attribute.name);
    return found != shape.attributes.end() && found->second == value;
  });
}

Status set_attributes(const Op& op, const Attributes& attributes, Task& task) {
  for (const auto& [name, value] : attributes) {
    const auto found =
        std::ranges::find_if(op.attributes, [&](const Attribute& of) { return of.name == name; });
    if (found == op.attributes.end()) {
      return fail(ErrorKind::bad_input, op.name + " has no attribute '" + name + "'",
                  "its attributes: " + names_or_none(attribute_names(op)));
    }
    const bool whole = std::fabs(value) < 9e15 && value == std::floor(value);
    if ((found->type == "int" && !whole) || (found->type == "bool" && value != 0 && value != 1)) {
      return fail(ErrorKind::bad_input, op.name + ": attribute " + name + " takes " +
                                            (found->type == "int" ? "a whole number" : "0 or 1"));
    }
    if (!is_in_range(op, *found, value)) {
      return fail(ErrorKind::bad_input, op.name + ": attribute " + name + "=" + attribute_text(value) +
                                            " is outside its range, " + attribute_text(found->low) + " to " +
                                            attribute_text(found->high));
    }
    task.attributes[name] = value;
  }
  return {};
}

Status check_rules(const Task& task) {
  for (const std::string& rule : task.op->dim_rules) {
    KGEN_TRY(const auto expr, util::Expr::parse(rule));
    KGEN_TRY(const auto value, expr.evaluate(scope_of(task, {})));
    if (value == 0) {
      std::string text = describe(task);
      for (const auto& [name, own] : task.attributes) text += " " + name + "=" + attribute_text(own);
      return fail(ErrorKind::bad_input, text + " breaks the op's rule '" + rule + "'");
    }
  }
  return {};
}

std::optional<std::int64_t> tensor_property(const TensorFacts& tensor, std::string_view function) {
  if (function == "sizeof") return static_cast<std::int64_t>(size_of(tensor.dtype));
  if (function == "numel") return tensor.elements;
  if (function == "bytes") return tensor.bytes;
  if (function == "dtype") return static_cast<std::int64_t>(tensor.dtype);
  return std::nullopt;
}

/// Length and stride of the rows that generators see where the tensor says it.
Status set_rows(const Tensor& tensor, const util::Scope& scope, TensorFacts& facts) {
  const auto rank = static_cast<std::int64_t>(facts.shape.size());
  std::int64_t axis = -1;
  if (!tensor.row_axis.text().empty()) {
    KGEN_TRY(axis, tensor.row_axis.evaluate(scope));
  }
  if (axis < -rank || axis >= rank) {
    return fail(ErrorKind::bad_input, "row_axis of tensor " + tensor.name + " is " + std::to_string(axis) +
                                          ", and it has " + std::to_string(rank) + " axes");
  }
  const RowFacts rows = rows_along(facts, axis);
  facts.row_length = rows.length;
  facts.row_stride = rows.stride;
  return {};
}

/// The bound of an integer input's values.
Status set_below(const Tensor& tensor, const util::Scope& scope, TensorFacts& facts) {
  if (tensor.below.text().empty()) return {};
  KGEN_TRY(facts.below, tensor.below.evaluate(scope));
  facts.ends = tensor.ends;
  // A shape at which an index does not fit its dtype is none that the op speaks of.
  if (static_cast<double>(facts.below) - 1 > facts_of(facts.dtype).max_finite) {
    return fail(ErrorKind::bad_input, "tensor " + tensor.name + " holds values below '" +
                                          tensor.below.text() + "', which is " + std::to_string(facts.below) +
                                          ": more than " + std::string(name_of(facts.dtype)) + " holds");
  }
  if (facts.below >= 1) return {};
  if (facts.elements > 0) {
    return fail(ErrorKind::bad_input, "tensor " + tensor.name + " holds " + std::to_string(facts.elements) +
                                          " values below '" + tensor.below.text() + "', which is " +
                                          std::to_string(facts.below));
  }
  facts.below = 1;
  return {};
}

}  // namespace

RowFacts rows_along(const TensorFacts& tensor, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(tensor.shape.size());
  const auto from = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  RowFacts rows{std::max<std::int64_t>(tensor.shape.at(from), 1), 1};
  for (std::size_t i = from + 1; tensor.elements > 0 && i < tensor.shape.size(); ++i)
    rows.stride *= tensor.shape[i];
  return rows;
}

DType dtype_of(const Tensor& tensor, DType task_dtype) {
  return tensor.dtype == "T" ? task_dtype : parse_dtype(tensor.dtype).value_or(task_dtype);
}

Result<Task> make_task(const std::shared_ptr<const Op>& op, std::string_view dtype, const Dims& dims,
                       const Attributes& attributes) {
  Task task;
  task.op = op;
  task.dtype = op->default_dtype;
  if (!dtype.empty()) {
    std::vector<std::string> names;
    bool known = false;
    for (const DType candidate : op->dtypes) {
      names.emplace_back(name_of(candidate));
      if (name_of(candidate) == dtype) known = true, task.dtype = candidate;
    }
    if (!known) {
      return fail(ErrorKind::bad_input, op->name + " has no dtype '" + std::string(dtype) + "'",
                  "its dtypes: " + names_or_none(names));
    }
  }
  task.dims = op->default_dims;
  for (const auto& attribute : op->attributes) task.attributes[attribute.name] = attribute.default_value;
  return at_shape(task, dims, attributes);
}

Result<Task> at_shape(const Task& task, const Dims& dims, const Attributes& attributes) {
  Task out = task;
  KGEN_CHECK(set_dims(*task.op, dims, out));
  KGEN_CHECK(set_attributes(*task.op, attributes, out));
  KGEN_CHECK(check_rules(out));
  KGEN_CHECK(tensors_of(out));
  return out;
}

namespace {

Result<TensorFacts> facts_in(const util::Scope& scope, const Tensor& tensor, const Task& task) {
  TensorFacts facts{tensor.name, tensor.role, dtype_of(tensor, task.dtype), {}, 1, 0};
  for (const auto& expr : tensor.shape) {
    KGEN_TRY(const auto extent, expr.evaluate(scope));
    if (extent < 0) {
      return fail(ErrorKind::bad_input, describe(task) + ": extent '" + expr.text() + "' of tensor " +
                                            tensor.name + " is " + std::to_string(extent));
    }
    facts.shape.push_back(extent);
    if (__builtin_mul_overflow(facts.elements, extent, &facts.elements)) facts.elements = -1;
    if (facts.elements < 0) break;
  }
  const auto size = static_cast<std::int64_t>(size_of(facts.dtype));
  if (facts.elements < 0 || __builtin_mul_overflow(facts.elements, size, &facts.bytes)) {
    return fail(ErrorKind::bad_input,
                describe(task) + ": tensor " + tensor.name + " has more than 2^63 bytes");
  }
  KGEN_CHECK(set_rows(tensor, scope, facts));
  KGEN_CHECK(set_below(tensor, scope, facts));
  return facts;
}

}  // namespace

Result<TensorFacts> tensor_of(const Task& task, const Tensor& tensor) {
  return facts_in(scope_of(task, {}), tensor, task);
}

Result<std::vector<TensorFacts>> tensors_of(const Task& task) {
  const auto scope = scope_of(task, {});
  std::vector<TensorFacts> out;
  for (const Tensor& tensor : task.op->tensors) {
    KGEN_TRY(auto facts, facts_in(scope, tensor, task));
    out.push_back(std::move(facts));
  }
  return out;
}

util::Scope scope_of(const Task& task, const std::vector<TensorFacts>& tensors,
                     std::map<std::string, std::int64_t> extra) {
  std::map<std::string, std::int64_t> values = std::move(extra);
  values.insert(task.dims.begin(), task.dims.end());
  for (const auto& attribute : task.op->attributes) {
    if (attribute.type != "float") {
      values[attribute.name] = static_cast<std::int64_t>(task.attributes.at(attribute.name));
    }
  }
  const auto named = std::make_shared<const std::map<std::string, std::int64_t>>(std::move(values));
  const auto by_name = std::make_shared<const std::vector<TensorFacts>>(tensors);
  util::Scope scope;
  scope.value = [named](std::string_view name) -> std::optional<std::int64_t> {
    if (const auto it = named->find(std::string(name)); it != named->end()) return it->second;
    if (const auto dtype = parse_dtype(name)) return static_cast<std::int64_t>(*dtype);
    return std::nullopt;
  };
  scope.of_name = [by_name, task_dtype = task.dtype](
                      std::string_view function, std::string_view argument) -> std::optional<std::int64_t> {
    if (argument == "T") {
      if (function == "sizeof") return static_cast<std::int64_t>(size_of(task_dtype));
      if (function == "dtype") return static_cast<std::int64_t>(task_dtype);
      return std::nullopt;
    }
    for (const auto& tensor : *by_name) {
      if (tensor.name == argument) return tensor_property(tensor, function);
    }
    return std::nullopt;
  };
  scope.names = [named, by_name] {
    std::vector<std::string> names;
    for (const auto& [name, value] : *named) names.push_back(name);
    for (const auto& tensor : *by_name) {
      for (const char* function : {"sizeof", "numel", "bytes", "dtype"}) {
        names.push_back(std::string(function) + "(" + tensor.name + ")");
      }
    }
    return names;
  };
  return scope;
}

Result<Cost> cost_of(const Task& task) {
  KGEN_TRY(const auto tensors, tensors_of(task));
  const auto scope = scope_of(task, tensors);
  KGEN_TRY(const auto flops, task.op->flops.evaluate(scope));
  KGEN_TRY(const auto bytes, task.op->bytes.evaluate(scope));
  std::int64_t product_flops = 0;
  if (!task.op->product_flops.text().empty()) {
    KGEN_TRY(product_flops, task.op->product_flops.evaluate(scope));
  }
  return Cost{flops, bytes, product_flops};
}

std::string describe_dims(const Task& task) {
  std::string out;
  for (const auto& name : task.op->dim_names) {
    out += (out.empty() ? "" : ",") + name + "=" + std::to_string(task.dims.at(name));
  }
  return out;
}

std::string attribute_text(double value) {
  std::array<char, 32> text{};
  const bool is_whole = value == std::trunc(value) && std::abs(value) < 0x1p53;  // 2147483647 has ten digits
  std::snprintf(text.data(), text.size(), is_whole ? "%.0f" : "%.9g", value);
  return text.data();
}

std::string describe(const Task& task) {
  std::string out = task.op->name + " " + std::string(name_of(task.dtype));
  for (const auto& name : task.op->dim_names) out += " " + name + "=" + std::to_string(task.dims.at(name));
  return out;
}

}  // namespace kgen::core
