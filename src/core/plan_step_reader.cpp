#include <algorithm>

#include "core/plan_fields.hpp"
#include "core/plan_problem.hpp"
#include "core/real_literal.hpp"
#include "util/json.hpp"
#include "util/text.hpp"

namespace kgen::core {
namespace {

using nlohmann::ordered_json;

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A possibly qualified name, then possibly template arguments. The name is pasted into C++ by the compile
/// role, so nothing that could end a declaration or begin a directive, a literal or a comment gets through.
bool is_kernel_name(std::string_view name) {
  const std::size_t angle = std::min(name.find('<'), name.size());
  const std::string_view qualified = name.substr(0, angle);
  const std::string_view arguments = name.substr(angle);
  if (qualified.empty() || (qualified[0] >= '0' && qualified[0] <= '9') || !is_name_part(qualified.back()))
    return false;
  if (!std::all_of(qualified.begin(), qualified.end(), [](char c) { return is_name_part(c) || c == ':'; }))
    return false;
  if (arguments.find("//") != arguments.npos || arguments.find("/*") != arguments.npos) return false;
  int parentheses = 0;
  for (const char c : arguments) {
    if (!is_name_part(c) && std::string_view("<>,:()+-*/%&|!?= ").find(c) == std::string_view::npos)
      return false;
    parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (parentheses < 0) return false;
  }
  return parentheses == 0 && (arguments.empty() || arguments.back() == '>');
}

PlanResult<Argument> read_argument(const ordered_json& entry_json, const std::string& field) {
  const bool typed = entry_json.is_object();
  const ordered_json& value = typed ? entry_json.begin().value() : entry_json;
  // Names are compared as they stand, so spaces around one must not matter.
  Argument argument{
      value.is_string() ? std::string(util::trimmed(value.get_ref<const std::string&>())) : value.dump(),
      typed ? entry_json.begin().key() : ""};
  const bool real = argument.type == "f32" || argument.type == "f64";
  if (real_literal(argument)) return argument;
  const std::string where = typed ? member(field, argument.type) : field;
  if (const auto parsed = util::Expr::parse(argument.text); !parsed) {
    const std::string kinds =
        real ? "a number, the name of a float attribute or an integer expression: "
             : "the name of a tensor, workspace, tensor map or attribute, or an integer expression: ";
    return plan_problem(where, argument.text, kinds + parsed.error().text());
  }
  if (value.is_number_integer()) KGEN_CHECK(read_integer(value, where));
  return argument;
}

PlanResult<KernelLaunch> read_kernel(const ordered_json& entry_json, const std::string& field) {
  KernelLaunch launch;
  launch.kernel = entry_json.at("kernel").get<std::string>();
  if (!is_kernel_name(launch.kernel))
    return plan_problem(
        member(field, "kernel"), launch.kernel,
        "a kernel's C++ name, with its template arguments if it has any: fixup, detail::scan, gemm<true>");
  KGEN_TRY(launch.when, read_optional_expr(entry_json, field, "when"));
  KGEN_TRY(launch.grid, read_expr_list(entry_json, field, "grid"));
  KGEN_TRY(launch.block, read_expr_list(entry_json, field, "block"));
  KGEN_TRY(launch.dynamic_shared_bytes, read_optional_expr(entry_json, field, "dynamic_shared_bytes"));
  KGEN_TRY(launch.cluster, read_expr_list(entry_json, field, "cluster"));
  for (const ordered_json& entry : entry_json.at("args")) {
    KGEN_TRY(Argument argument, read_argument(entry, element(member(field, "args"), launch.args.size())));
    launch.args.push_back(std::move(argument));
  }
  launch.cooperative = entry_json.value("cooperative", false);
  launch.pdl = entry_json.value("pdl", false);
  return launch;
}

}  // namespace

PlanResult<Step> read_step(const ordered_json& entry_json, const std::string& field) {
  if (!entry_json.contains("fill")) {
    KGEN_TRY(KernelLaunch launch, read_kernel(entry_json, field));
    return launch;
  }
  FillStep fill;
  fill.target = entry_json.at("fill").get<std::string>();
  KGEN_TRY(fill.value, read_expr(entry_json.at("value"), member(field, "value")));
  KGEN_TRY(fill.when, read_optional_expr(entry_json, field, "when"));
  return fill;
}

}  // namespace kgen::core
