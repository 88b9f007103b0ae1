#include "core/argument_resolver.hpp"

#include <cmath>

#include "core/launch_limits.hpp"
#include "core/plan_problem.hpp"
#include "core/real_literal.hpp"

namespace kgen::core {
namespace {

PlanResult<ResolvedArgument> as_real(ResolvedArgument argument, double value, const std::string& field) {
  const double limit =
      argument.type == "f32" ? facts_of(DType::f32).max_finite : facts_of(DType::f64).max_finite;
  if (!argument.type.empty() && std::isfinite(value) && std::abs(value) > limit)
    return plan_problem(field, argument.text, "a number within the range of " + argument.type);
  argument.kind = ResolvedArgument::Kind::floating;
  argument.floating = value;
  return argument;
}

}  // namespace

PlanResult<ResolvedArgument> resolve_argument(const Argument& argument, const PlanScope& scope,
                                              const Task& task, const std::string& field) {
  ResolvedArgument resolved;
  resolved.text = argument.text;
  resolved.type = argument.type;
  const std::string& name = argument.text;
  const bool real = argument.type == "f32" || argument.type == "f64";
  const bool is_buffer = scope.find_tensor(name) != nullptr || scope.is_workspace(name);
  if (is_buffer || scope.find_tensor_map(name) != nullptr) {
    if (!argument.type.empty())
      return plan_problem(field, argument.text,
                          "a number for {\"" + argument.type + "\": ...}; pass a buffer by its name alone");
    resolved.kind = is_buffer ? ResolvedArgument::Kind::buffer : ResolvedArgument::Kind::tensor_map;
    resolved.name = name;
    return resolved;
  }
  if (scope.is_float_attribute(name)) {
    if (!argument.type.empty() && !real)
      return plan_problem(field, argument.text,
                          "an integer for {\"" + argument.type + "\": ...}, not a float attribute");
    return as_real(std::move(resolved), task.attributes.at(name), field);
  }
  if (const auto literal = real_literal(argument)) return as_real(std::move(resolved), *literal, field);
  const Result<util::Expr> expr = util::Expr::parse(argument.text);
  if (!expr)
    return plan_problem(field, argument.text, "a name or an integer expression: " + expr.error().text());
  KGEN_TRY(resolved.integer, scope.evaluate(field, *expr));
  if (real) return as_real(resolved, static_cast<double>(resolved.integer), field);
  if (const auto dtype = parse_dtype(argument.type))
    KGEN_CHECK(check_fill_value(resolved.integer, *dtype, field));
  return resolved;
}

}  // namespace kgen::core
