#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/real_literal.hpp"
#include "export/expr_code.hpp"
#include "export/launcher_code.hpp"
#include "util/text.hpp"

// Steps and tensor maps of the plan as C++.
namespace kgen::exporting {
namespace {

using core::DType;
using Kind = core::ParameterType::Kind;

std::string real_text(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value)) return std::string(value < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  char text[64];
  std::snprintf(text, sizeof text, "%a", value);
  return "double{" + std::string(text) + "}";
}

bool is_named(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_float_attribute(const ExportInputs& in, const std::string& name) {
  const auto& attributes = in.task.op->attributes;
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& a) { return a.name == name && a.type == "float"; });
}

bool is_buffer(const ExportInputs& in, const std::string& name) {
  const auto& workspace = in.plan.workspace;
  return in.task.op->find_tensor(name) != nullptr ||
         std::any_of(workspace.begin(), workspace.end(), [&](const auto& w) { return w.name == name; });
}

bool is_map(const ExportInputs& in, const std::string& name) {
  const auto& maps = in.plan.tensor_maps;
  return std::any_of(maps.begin(), maps.end(), [&](const auto& m) { return m.name == name; });
}

std::string real_call(const std::string& value, const core::ParameterType& parameter, bool exactly,
                      const std::string& where) {
  return "real_argument(" + value + ", " + std::to_string(parameter.bytes) + ", " +
         (exactly ? "true" : "false") + ", " + where + ")";
}

/// The core::bind_arguments of one argument, for values that are known only when the plan is run.
std::string argument_code(const ExportInputs& in, const core::Argument& argument,
                          const core::ParameterType& parameter, const std::string& field) {
  const std::string where = quoted(field);
  if (is_buffer(in, argument.text)) return "pointer_argument(at." + address_member(in, argument.text) + ")";
  if (is_map(in, argument.text)) return "map_argument(map_" + argument.text + "(at, really))";
  if (is_float_attribute(in, argument.text))
    return real_call("attributes." + identifier(argument.text), parameter, false, where);
  if (const auto literal = core::real_literal(argument))
    return real_call(real_text(*literal), parameter, false, where);
  const auto expr = util::Expr::parse(argument.text);
  const std::string value = expr ? expr_code(*expr) : "0";
  if (parameter.kind == Kind::floating)
    return real_call("static_cast<double>(" + value + ")", parameter, argument.type.empty(), where);
  const std::size_t bits = parameter.text == "bool" ? 1 : 8 * parameter.bytes;
  return "integer_argument(" + value + ", " + std::to_string(bits) + ", " +
         (parameter.is_signed ? "true" : "false") + ", " + where + ")";
}

std::string triple(const std::vector<util::Expr>& exprs) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < 3; ++i)
    parts.push_back(i < exprs.size() ? expr_code(exprs[i]) : std::string("std::int64_t{1}"));
  return "{" + util::join(parts) + "}";
}

std::string when_code(const std::optional<util::Expr>& when) {
  return when ? "    if (" + expr_code(*when) + " == 0) return;\n" : "";
}

std::string launch_code(const ExportInputs& in, const core::KernelLaunch& launch, const std::string& field,
                        const std::vector<std::string>& kernels) {
  std::string text = when_code(launch.when);
  text += "    LaunchShape shape;\n    shape.grid = " + triple(launch.grid) + ";\n";
  text += "    if (!has_blocks(shape.grid, " + quoted(field + ".grid") + ")) return;\n";
  if (!is_named(kernels, launch.kernel))
    return text + "    (void)queue;\n    refuse(" +
           quoted(launch.kernel +
                  " is not in the exported code: it was not part of the plan at the exported shape") +
           ");\n";
  text += "    shape.block = " + triple(launch.block) + ";\n";
  if (!launch.cluster.empty()) text += "    shape.cluster = " + triple(launch.cluster) + ";\n";
  if (launch.dynamic_shared_bytes)
    text += "    shape.dynamic_shared_bytes = " + expr_code(*launch.dynamic_shared_bytes) + ";\n";
  if (launch.cooperative) text += "    shape.cooperative = true;\n";
  if (launch.pdl) text += "    shape.pdl = true;\n";
  const auto built =
      static_cast<std::size_t>(std::find(kernels.begin(), kernels.end(), launch.kernel) - kernels.begin());
  const auto& parameters = in.build.kernels[built].parameters;
  text += "    std::vector<Argument> arguments;\n";
  for (std::size_t i = 0; i < std::min(launch.args.size(), parameters.size()); ++i) {
    text += "    arguments.push_back(" +
            argument_code(in, launch.args[i], parameters[i], field + ".args[" + std::to_string(i) + "]") +
            ");\n";
  }
  return text + "    queue.launch(" + std::to_string(built) + ", " + quoted(launch.kernel) +
         ", shape, std::move(arguments));\n";
}

std::string fill_pattern_code(DType dtype, const std::string& value) {
  switch (dtype) {
    case DType::f64:
      return "whole_float_bits(" + value + ", 11, 52)";
    case DType::f32:
    case DType::tf32:
      return "whole_float_bits(" + value + ", 8, 23)";
    case DType::f16:
      return "whole_float_bits(" + value + ", 5, 10)";
    case DType::bf16:
      return "whole_float_bits(" + value + ", 8, 7)";
    case DType::f8e4m3:
      return "whole_float_bits(" + value + ", 4, 3)";
    case DType::f8e5m2:
      return "whole_float_bits(" + value + ", 5, 2)";
    default:
      return "integer_bits(" + value + ", " + std::to_string(8 * core::size_of(dtype)) + ")";
  }
}

std::string fill_code(const ExportInputs& in, const core::FillStep& fill) {
  std::string text = when_code(fill.when);
  const core::Tensor* tensor = in.task.op->find_tensor(fill.target);
  const std::string at = "at." + address_member(in, fill.target), value = expr_code(fill.value),
                    name = quoted("filling " + fill.target);
  if (tensor == nullptr) {
    const auto workspace = std::find_if(in.plan.workspace.begin(), in.plan.workspace.end(),
                                        [&](const auto& w) { return w.name == fill.target; });
    const std::string count = "divide(" + expr_code(workspace->bytes) + ", 4)";
    text += "    if (" + count + " == 0) return;\n";
    return text + "    queue.fill(" + at + ", 4, " + fill_pattern_code(DType::u32, value) + ", " + count +
           ", " + name + ");\n";
  }
  const DType dtype =
      tensor->dtype == "T" ? in.task.dtype : core::parse_dtype(tensor->dtype).value_or(in.task.dtype);
  text += "    if (numel_of_" + fill.target + " == 0) return;\n";
  return text + "    queue.fill(" + at + ", " + std::to_string(core::size_of(dtype)) + ", " +
         fill_pattern_code(dtype, value) + ", numel_of_" + fill.target + ", " + name + ");\n";
}

DType map_dtype(const ExportInputs& in, const core::TensorMapSpec& map) {
  if (const auto named = core::parse_dtype(map.dtype)) return *named;
  const core::Tensor* tensor = in.task.op->find_tensor(map.tensor);
  if (tensor == nullptr || tensor->dtype == "T") return in.task.dtype;
  return core::parse_dtype(tensor->dtype).value_or(in.task.dtype);
}

const char* data_type(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT64";
    case DType::f32:
    case DType::tf32:  // stored as f32; TFLOAT32 would round what is copied
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT32";
    case DType::f16:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    case DType::bf16:
      return "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16";
    case DType::i64:
      return "CU_TENSOR_MAP_DATA_TYPE_INT64";
    case DType::u64:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT64";
    case DType::i32:
      return "CU_TENSOR_MAP_DATA_TYPE_INT32";
    case DType::u32:
    case DType::u4x8:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT32";
    case DType::i16:
    case DType::u16:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT16";
    default:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT8";
  }
}

std::string list(const std::vector<util::Expr>& exprs) {
  std::vector<std::string> parts;
  for (const auto& expr : exprs) parts.push_back(expr_code(expr));
  return "{" + util::join(parts) + "}";
}

std::string word(const char* prefix, const std::string& name, const char* none) {
  return name == "none" ? std::string(prefix) + none : std::string(prefix) + name;
}

std::string buffer_bytes(const ExportInputs& in, const std::string& buffer) {
  if (in.task.op->find_tensor(buffer) != nullptr) return "bytes_of_" + buffer;
  for (const auto& workspace : in.plan.workspace) {
    if (workspace.name == buffer) return expr_code(workspace.bytes);
  }
  return "0";
}

/// Innermost first: the map's own, or the tensor's shape turned around.
std::string dims_code(const core::TensorMapSpec& map) {
  if (!map.global_dim.empty()) return list(map.global_dim);
  const std::string shape = "shape_of_" + map.tensor;
  return "std::vector<std::int64_t>(" + shape + ".rbegin(), " + shape + ".rend())";
}

std::string element_strides_code(const core::TensorMapSpec& map) {
  if (!map.element_strides.empty()) return list(map.element_strides);
  return "std::vector<std::int64_t>(" + std::to_string(map.box_dim.size()) + ", 1)";
}

}  // namespace

std::string tensor_map_code(const ExportInputs& in, const core::TensorMapSpec& map) {
  const DType dtype = map_dtype(in, map);
  const std::string oob = map.oob_fill == "nan" ? "NAN_REQUEST_ZERO_FMA" : "NONE";
  const std::string l2 = map.l2_promotion == "none" ? "NONE" : "L2_" + map.l2_promotion;
  return "  CUtensorMap map_" + map.name +
         "(const Addresses& at, bool really) const {\n    const MapSpec map{" + quoted(map.name) + ", " +
         data_type(dtype) + ", " + std::to_string(core::size_of(dtype)) + ",\n                      " +
         dims_code(map) + ",\n                      " + list(map.global_strides) +
         ",\n                      " + list(map.box_dim) + ",\n                      " +
         element_strides_code(map) + ",\n                      " +
         (map.offset ? expr_code(*map.offset) : "0") + ", " + buffer_bytes(in, map.tensor) +
         ",\n                      " + word("CU_TENSOR_MAP_INTERLEAVE_", map.interleave, "NONE") + ", " +
         word("CU_TENSOR_MAP_SWIZZLE_", map.swizzle, "NONE") + ", CU_TENSOR_MAP_L2_PROMOTION_" + l2 +
         ", CU_TENSOR_MAP_FLOAT_OOB_FILL_" + oob + "};\n    return encode(map, at." +
         address_member(in, map.tensor) + ", really);\n  }\n";
}

std::string box_bytes_code(const ExportInputs& in, const core::TensorMapSpec& map) {
  std::string text = "std::int64_t{" + std::to_string(core::size_of(map_dtype(in, map))) + "}";
  for (std::size_t i = 0; i < map.box_dim.size(); ++i) {
    std::string extent = expr_code(map.box_dim[i]);
    // Without interleave the driver ignores the innermost element stride.
    if (!map.element_strides.empty() && (i > 0 || map.interleave != "none"))
      extent = "ceil_div(" + extent + ", " + expr_code(map.element_strides[i]) + ")";
    text = "multiply(" + text + ", " + extent + ")";
  }
  return text;
}

std::string step_code(const ExportInputs& in, std::size_t index, const std::vector<std::string>& kernels) {
  const std::string field = "launches[" + std::to_string(index) + "]";
  std::string text =
      "  // " + field + "\n  void step_" + std::to_string(index) +
      "(Queue& queue, [[maybe_unused]] const Addresses& at, [[maybe_unused]] bool really) const {\n";
  if (const auto* launch = std::get_if<core::KernelLaunch>(&in.plan.launches[index])) {
    text += launch_code(in, *launch, field, kernels);
  } else {
    text += fill_code(in, std::get<core::FillStep>(in.plan.launches[index]));
  }
  return text + "  }\n";
}

}  // namespace kgen::exporting
