// Any text may stand where a candidate should: reading its plan, choosing variants, resolving and binding
// must end in a result or in a problem that says something and is fit to be shown.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/resolved_plan.hpp"

namespace {

using namespace kgen::core;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_good(const PlanProblem& problem) {
  require(!problem.field.empty() && !problem.expected.empty() && problem.text().size() < 2500);
  const std::string text = problem.text();
  require(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
}

kgen::util::Expr expr(std::string_view text) {
  return kgen::util::Expr::parse(text).value();
}

Task fixed_task() {
  auto op = std::make_shared<Op>();
  op->name = "gemm";
  op->dtypes = {DType::bf16};
  op->default_dtype = DType::bf16;
  op->dim_names = {"M", "N", "K"};
  op->default_dims = {{"M", 256}, {"N", 128}, {"K", 64}};
  op->min_dims = {{"M", 0}, {"N", 0}, {"K", 0}};
  op->attributes = {{"scale", "float", 0.5, ""}, {"window", "int", 3, ""}};
  op->tensors = {{"a", Role::input, "T", {expr("M"), expr("K")}},
                 {"b", Role::input, "T", {expr("K"), expr("N")}},
                 {"c", Role::output, "T", {expr("M"), expr("N")}}};
  return make_task(op, "", {}, {}).value();
}

/// A parameter that `argument` might well be passed to.
ParameterType parameter_for(const ResolvedArgument& argument) {
  switch (argument.kind) {
    case ResolvedArgument::Kind::buffer:
      return {ParameterType::Kind::pointer, 8, false, "bf16", true, "const __nv_bfloat16*"};
    case ResolvedArgument::Kind::tensor_map:
      return {ParameterType::Kind::tensor_map, 128, false, "", false, "CUtensorMap"};
    case ResolvedArgument::Kind::floating:
      return {ParameterType::Kind::floating, 4, true, "", false, "float"};
    case ResolvedArgument::Kind::integer:
      break;
  }
  return {ParameterType::Kind::integer, 4, true, "", false, "int"};
}

void bind_all(const ResolvedPlan& plan, const Task& task) {
  for (const auto& step : plan.steps) {
    const auto* launch = std::get_if<ResolvedLaunch>(&step);
    if (launch == nullptr) continue;
    std::vector<ParameterType> parameters;
    for (const ResolvedArgument& argument : launch->args) parameters.push_back(parameter_for(argument));
    const auto bound = bind_arguments(*launch, parameters, task);
    if (!bound) return require_good(bound.error());
    require(bound->size() == parameters.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Task task = fixed_task();
  static const DeviceFacts device;
  std::string source(reinterpret_cast<const char*>(data), size);
  // Most inputs are tried as the JSON inside the comment; those that begin with a slash are whole files.
  if (!source.starts_with('/')) source = "/*kgen" + source + "*/";
  const auto plan = parse_plan(source);
  if (!plan) {
    require_good(plan.error());
    return 0;
  }
  if (const auto unmet = unmet_requirement(*plan, task, device); !unmet) require_good(unmet.error());
  const auto variants = feasible_variants(*plan, task, device);
  if (!variants) {
    require_good(variants.error());
    return 0;
  }
  require(!variants->empty() && variants->size() <= 4096);
  const auto resolved = resolve_plan(*plan, task, device, variants->front());
  if (!resolved) {
    require_good(resolved.error());
    return 0;
  }
  bind_all(*resolved, task);
  return 0;
}
