#include "export/launcher_code.hpp"

#include <algorithm>

#include "core/plan_names.hpp"
#include "export/expr_code.hpp"
#include "util/text.hpp"

namespace kgen::exporting {
namespace {

using core::DType;

constexpr const char* kDeviceNames[] = {"num_sms", "max_dynamic_shared", "l2_bytes", "cc"};
std::string number(std::int64_t value) {
  return "std::int64_t{" + std::to_string(value) + "}";
}

std::string member_line(const std::string& name) {
  return "  std::int64_t " + name + " = 0;\n";
}

std::string constant_line(const std::string& name, std::int64_t value) {
  return "  static constexpr std::int64_t " + name + " = " + std::to_string(value) + ";\n";
}

std::string plan_members(const ExportInputs& in) {
  const core::Op& op = *in.task.op;
  std::string text;
  for (const core::DTypeFacts& facts : core::all_dtypes())
    text += constant_line("v_" + std::string(facts.name), static_cast<std::int64_t>(facts.dtype));
  text += constant_line("sizeof_of_T", static_cast<std::int64_t>(core::size_of(in.task.dtype)));
  text += constant_line("dtype_of_T", static_cast<std::int64_t>(in.task.dtype));
  for (const auto& [name, value] : in.resolved.variant) text += constant_line("v_" + name, value);
  for (const auto& tensor : op.tensors) {
    const DType dtype = core::dtype_of(tensor, in.task.dtype);
    text += constant_line("sizeof_of_" + tensor.name, static_cast<std::int64_t>(core::size_of(dtype)));
    text += constant_line("dtype_of_" + tensor.name, static_cast<std::int64_t>(dtype));
    text += "  std::vector<std::int64_t> shape_of_" + tensor.name + ";\n";
    text += member_line("numel_of_" + tensor.name) + member_line("bytes_of_" + tensor.name);
  }
  for (const auto& name : op.dim_names) text += member_line("v_" + name);
  for (const auto& attribute : op.attributes) {
    if (attribute.type != "float") text += member_line("v_" + attribute.name);
  }
  for (const char* name : kDeviceNames) text += member_line("v_" + std::string(name));
  for (const auto& [name, expr] : in.plan.let) text += member_line("v_" + name);
  return text;
}

std::string plan_values(const ExportInputs& in) {
  const core::Op& op = *in.task.op;
  std::string text;
  for (const auto& name : op.dim_names) text += "    v_" + name + " = shape." + identifier(name) + ";\n";
  for (const auto& attribute : op.attributes) {
    if (attribute.type == "float") continue;
    text += "    v_" + attribute.name + " = static_cast<std::int64_t>(shape." + identifier(attribute.name) +
            ");\n";
  }
  for (const char* name : kDeviceNames) text += "    v_" + std::string(name) + " = device." + name + ";\n";
  for (const auto& [name, least] : op.min_dims) {
    text += "    if (v_" + name + " < " + std::to_string(least) + ") refuse(\"" + name + " is less than " +
            std::to_string(least) + "\");\n";
  }
  for (const auto& tensor : op.tensors) {
    std::vector<std::string> extents;
    for (const auto& extent : tensor.shape) extents.push_back(expr_code(extent));
    text += "    shape_of_" + tensor.name + " = {" + util::join(extents) + "};\n";
    text += "    numel_of_" + tensor.name + " = 1;\n    for (const std::int64_t extent : shape_of_" +
            tensor.name + ") {\n      if (extent < 0) refuse(\"an extent of " + tensor.name +
            " is negative\");\n      numel_of_" + tensor.name + " = multiply(numel_of_" + tensor.name +
            ", extent);\n    }\n";
    text += "    bytes_of_" + tensor.name + " = multiply(numel_of_" + tensor.name + ", sizeof_of_" +
            tensor.name + ");\n";
  }
  for (const auto& [name, expr] : in.plan.let) text += "    v_" + name + " = " + expr_code(expr) + ";\n";
  return text;
}

std::string demand(const std::string& condition, const std::string& message) {
  return "    if (" + condition + ") refuse(" + quoted(message) + ");\n";
}

std::string plan_checks(const ExportInputs& in) {
  std::string text;
  for (const std::string& rule : in.task.op->dim_rules) {
    if (const auto expr = util::Expr::parse(rule))
      text += demand(expr_code(*expr) + " == 0", "the operation demands " + rule);
  }
  for (const auto& expr : in.plan.requirements)
    text += demand(expr_code(expr) + " == 0", "this kernel requires " + expr.text());
  for (const auto& expr : in.plan.constraints) {
    text += demand(expr_code(expr) + " == 0", "compiled with " + core::variant_text(in.resolved.variant) +
                                                  ", which needs " + expr.text());
  }
  const auto compiled = [&](const std::string& macro) {
    const auto& macros = in.resolved.macros;
    return std::find_if(macros.begin(), macros.end(), [&](const auto& m) { return m.first == macro; })
        ->second;
  };
  for (const auto& [name, expr] : in.plan.defines) {
    const std::int64_t value = compiled(name);
    text += demand(
        expr_code(expr) + " != " + number(value),
        "compiled for " + name + " = " + std::to_string(value) + ", where " + name + " is " + expr.text());
  }
  for (const auto& map : in.plan.tensor_maps) {
    const std::string macro = core::box_bytes_macro(map.name);
    if (in.source.find(macro) == std::string::npos) continue;
    text += demand(box_bytes_code(in, map) + " != " + number(compiled(macro)),
                   "compiled for " + macro + " = " + std::to_string(compiled(macro)));
  }
  return text;
}

std::string bind_addresses(const ExportInputs& in) {
  std::string text;
  for (const auto& tensor : in.task.op->tensors)
    text += "    at.t_" + tensor.name + " = address_of(tensors." + identifier(tensor.name) +
            ", plan.bytes_of_" + tensor.name + ", " + quoted(tensor.name) + ");\n";
  for (std::size_t i = 0; i < in.plan.workspace.size(); ++i) {
    const std::string at = "offsets[" + std::to_string(i) + "]",
                      end = "offsets[" + std::to_string(i + 1) + "]";
    text += "    at.w_" + in.plan.workspace[i].name + " = " + end + " > " + at +
            " ? base + static_cast<CUdeviceptr>(" + at + ") : 0;\n";
  }
  return text;
}

std::string address_members(const ExportInputs& in) {
  std::string text;
  for (const auto& tensor : in.task.op->tensors) text += "  CUdeviceptr t_" + tensor.name + " = 0;\n";
  for (const auto& workspace : in.plan.workspace) text += "  CUdeviceptr w_" + workspace.name + " = 0;\n";
  return text;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + "\"";
}

std::string address_member(const ExportInputs& in, const std::string& buffer) {
  return (in.task.op->find_tensor(buffer) != nullptr ? "t_" : "w_") + buffer;
}

std::map<std::string, std::string> launcher_parts(const ExportInputs& in) {
  std::map<std::string, std::string> parts;
  parts["PLAN_MEMBERS"] = plan_members(in);
  parts["PLAN_VALUES"] = plan_values(in);
  parts["PLAN_CHECKS"] = plan_checks(in);
  parts["ADDRESS_MEMBERS"] = address_members(in);
  parts["BIND_ADDRESSES"] = bind_addresses(in);
  std::vector<std::string> sizes, names, kernels;
  for (const auto& workspace : in.plan.workspace) sizes.push_back(expr_code(workspace.bytes));
  parts["WORKSPACE_SIZES"] = util::join(sizes);
  for (const auto& kernel : in.build.kernels) {
    kernels.push_back(kernel.expression);
    names.push_back(quoted(kernel.lowered_name));
  }
  parts["KERNEL_COUNT"] = std::to_string(names.size());
  parts["KERNEL_NAMES"] = util::join(names, ",\n    ");
  for (const auto& map : in.plan.tensor_maps) parts["PLAN_STEPS"] += tensor_map_code(in, map) + "\n";
  for (std::size_t i = 0; i < in.plan.launches.size(); ++i) {
    parts["PLAN_STEPS"] += step_code(in, i, kernels) + "\n";
    parts["PLAN_RUN"] += "    step_" + std::to_string(i) + "(queue, at, really);\n";
  }
  return parts;
}

}  // namespace kgen::exporting
