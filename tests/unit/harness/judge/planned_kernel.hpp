#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/launch_plan.hpp"
#include "harness/judge/branch_shapes.hpp"
#include "harness/judge/made_shapes.hpp"
#include "harness/judge/rest_shapes.hpp"
#include "harness/judge/told_shapes.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"

namespace kgen::judge {

/// A kernel's file with its plan, a task of its op and a GPU, of which nothing is run: shapes alone.
struct PlannedKernel {
  std::string source;
  core::LaunchPlan plan;
  core::Task task;
  core::DeviceFacts device = core::facts_for_arch("sm_90a").value();

  PlannedKernel(const std::string& file, const std::string& op, const core::Dims& dims, const char* dtype,
                std::int64_t memory_gib)
      : source(util::read_file(file).value()),
        plan(core::parse_plan(source).value()),
        task(core::make_task(reference_ops::find_builtin_op(op).value(), dtype, dims, {}).value()) {
    device.memory_bytes = memory_gib << 30;
  }

  MadeShapes made_within(std::uint64_t seed, const ShapeBudget& budget) const {
    return made_shapes(plan, source, task, device, budget, seed);
  }
  std::vector<MadeShape> made(std::uint64_t seed,
                              const ShapeBudget& budget = shape_budget(core::DeviceKind::cuda)) const {
    return made_within(seed, budget).shapes;
  }

  std::optional<core::ResolvedPlan> resolve(const core::Task& at) const {
    const auto variants = core::feasible_variants(plan, at, device);
    if (!variants) return std::nullopt;
    auto resolved = core::resolve_plan(plan, at, device, variants->front());
    return resolved ? std::optional(std::move(*resolved)) : std::nullopt;
  }

  bool serves(const core::Task& at) const { return !core::unmet_requirement(plan, at, device).value(); }

  ShapeCase case_of(const core::Task& at) const {
    ShapeCase out;
    out.task = at;
    out.tensors = core::tensors_of(at).value();
    out.resolved = resolve(at).value();
    return out;
  }

  /// The task's own, the check shapes that the plan serves, and those made at which it can be resolved.
  std::vector<ShapeCase> known(std::uint64_t seed,
                               const ShapeBudget& budget = shape_budget(core::DeviceKind::cuda)) const {
    std::vector<ShapeCase> out = {case_of(task)};
    for (const auto& shape : task.op->check_shapes) {
      const auto at = core::at_shape(task, shape.dims, shape.attributes).value();
      if (serves(at)) out.push_back(case_of(at));
    }
    for (const auto& shape : made(seed, budget)) {
      if (!shape.lenient || resolve(shape.task)) out.push_back(case_of(shape.task));
    }
    return out;
  }

  std::vector<MadeShape> for_branches(
      std::uint64_t seed, const ShapeBudget& budget = shape_budget(core::DeviceKind::cuda)) const {
    return branch_shapes(
               plan, source, device, known(seed, budget), [&](const core::Task& at) { return resolve(at); },
               budget, seed)
        .shapes;
  }

  std::vector<MadeShape> aside(std::uint64_t seed, const ShapeBudget& budget) const {
    auto out = told_shapes(plan, source, device, {case_of(task)}, budget, seed).shapes;
    const auto rests = rest_shapes(plan, source, device, {case_of(task)}, budget, seed).shapes;
    out.insert(out.end(), rests.begin(), rests.end());
    return out;
  }
};

}  // namespace kgen::judge
