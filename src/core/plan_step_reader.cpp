#include <algorithm>

#include "core/plan_fields.hpp"
#include "core/plan_problem.hpp"
#include "core/real_literal.hpp"
#include "util/json.hpp"

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

/// Names are compared as they stand, so spaces around one must not matter.
std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

PlanResult<Argument> read_argument(const ordered_json& json, const std::string& field) {
  const bool typed = json.is_object();
  const ordered_json& value = typed ? json.begin().value() : json;
  Argument argument{value.is_string() ? trimmed(value.get<std::string>()) : value.dump(),
                    typed ? json.begin().key() : ""};
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

PlanResult<KernelLaunch> read_kernel(const ordered_json& json, const std::string& field) {
  KernelLaunch launch;
  launch.kernel = json.at("kernel").get<std::string>();
  if (!is_kernel_name(launch.kernel))
    return plan_problem(
        member(field, "kernel"), launch.kernel,
        "a kernel's C++ name, with its template arguments if it has any: fixup, detail::scan, gemm<true>");
  KGEN_TRY(launch.when, read_optional_expr(json, field, "when"));
  KGEN_TRY(launch.grid, read_expr_list(json, field, "grid"));
  KGEN_TRY(launch.block, read_expr_list(json, field, "block"));
  KGEN_TRY(launch.dynamic_shared_bytes, read_optional_expr(json, field, "dynamic_shared_bytes"));
  KGEN_TRY(launch.cluster, read_expr_list(json, field, "cluster"));
  for (const ordered_json& entry : json.at("args")) {
    KGEN_TRY(Argument argument, read_argument(entry, element(member(field, "args"), launch.args.size())));
    launch.args.push_back(std::move(argument));
  }
  launch.cooperative = json.value("cooperative", false);
  launch.pdl = json.value("pdl", false);
  return launch;
}

}  // namespace

PlanResult<Step> read_step(const ordered_json& json, const std::string& field) {
  if (!json.contains("fill")) {
    KGEN_TRY(KernelLaunch launch, read_kernel(json, field));
    return launch;
  }
  FillStep fill;
  fill.target = json.at("fill").get<std::string>();
  KGEN_TRY(fill.value, read_expr(json.at("value"), member(field, "value")));
  KGEN_TRY(fill.when, read_optional_expr(json, field, "when"));
  return fill;
}

}  // namespace kgen::core
