#include "core/plan_exprs.hpp"

#include "core/plan_problem.hpp"
#include "core/real_literal.hpp"

namespace kgen::core {
namespace {

using Visit = std::function<PlanResult<void>(std::string_view, const util::Expr&)>;

PlanResult<void> visit_list(const std::vector<util::Expr>& list, const std::string& field,
                            const Visit& visit) {
  for (std::size_t i = 0; i < list.size(); ++i) KGEN_CHECK(visit(element(field, i), list[i]));
  return {};
}

PlanResult<void> visit_optional(const std::optional<util::Expr>& expr, const std::string& field,
                                const Visit& visit) {
  if (expr) return visit(field, *expr);
  return {};
}

PlanResult<void> visit_launch(const KernelLaunch& launch, const std::string& field, const Visit& visit) {
  KGEN_CHECK(visit_optional(launch.when, member(field, "when"), visit));
  KGEN_CHECK(visit_list(launch.grid, member(field, "grid"), visit));
  KGEN_CHECK(visit_list(launch.block, member(field, "block"), visit));
  KGEN_CHECK(visit_optional(launch.dynamic_shared_bytes, member(field, "dynamic_shared_bytes"), visit));
  KGEN_CHECK(visit_list(launch.cluster, member(field, "cluster"), visit));
  for (std::size_t i = 0; i < launch.args.size(); ++i) {
    if (real_literal(launch.args[i])) continue;
    if (const auto expr = util::Expr::parse(launch.args[i].text))
      KGEN_CHECK(visit(element(member(field, "args"), i), *expr));
  }
  return {};
}

PlanResult<void> visit_tensor_map(const TensorMapSpec& map, const Visit& visit) {
  const std::string field = member("tensor_maps", map.name);
  KGEN_CHECK(visit_optional(map.offset, member(field, "offset"), visit));
  KGEN_CHECK(visit_list(map.global_dim, member(field, "global_dim"), visit));
  KGEN_CHECK(visit_list(map.global_strides, member(field, "global_strides"), visit));
  KGEN_CHECK(visit_list(map.box_dim, member(field, "box_dim"), visit));
  return visit_list(map.element_strides, member(field, "element_strides"), visit);
}

}  // namespace

PlanResult<void> for_each_expr(const LaunchPlan& plan, const Visit& visit) {
  KGEN_CHECK(visit_list(plan.constraints, "constraints", visit));
  for (const auto& [name, expr] : plan.defines) KGEN_CHECK(visit(member("defines", name), expr));
  for (const WorkspaceSpec& buffer : plan.workspace)
    KGEN_CHECK(visit("workspace." + buffer.name + ".bytes", buffer.bytes));
  for (const TensorMapSpec& map : plan.tensor_maps) KGEN_CHECK(visit_tensor_map(map, visit));
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const std::string field = element("launches", i);
    if (const auto* launch = std::get_if<KernelLaunch>(&plan.launches[i])) {
      KGEN_CHECK(visit_launch(*launch, field, visit));
    } else {
      const auto& fill = std::get<FillStep>(plan.launches[i]);
      KGEN_CHECK(visit(member(field, "value"), fill.value));
      KGEN_CHECK(visit_optional(fill.when, member(field, "when"), visit));
    }
  }
  return {};
}

}  // namespace kgen::core
