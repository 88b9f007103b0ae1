#include <algorithm>

#include "harness/run/fill_pattern.hpp"
#include "harness/run/launch_sequence.hpp"

namespace kgen::run {
namespace {

std::string step_field(std::size_t step) {
  return "launches[" + std::to_string(step) + "]";
}

core::PlanResult<LaunchKernel> build_launch(const core::ResolvedLaunch& launch, const core::Task& task,
                                            const std::map<std::string, CompiledKernel>& kernels,
                                            core::KernelOf whose) {
  const auto compiled = kernels.find(launch.kernel);
  if (compiled == kernels.end()) {
    return tl::unexpected<core::PlanProblem>(
        core::PlanProblem{step_field(launch.step) + ".kernel", launch.kernel, "a kernel of this file"});
  }
  LaunchKernel out{compiled->second.lowered_name, launch.grid,        launch.block, launch.cluster,
                   launch.dynamic_shared_bytes,   launch.cooperative, launch.pdl,   {}};
  KGEN_TRY(out.args, core::bind_arguments(launch, compiled->second.parameters, task, whose));
  return out;
}

core::PlanResult<FillBuffer> fill_with(const core::ResolvedFill& fill, core::DType dtype,
                                       std::int64_t count) {
  const auto pattern = fill_pattern(dtype, fill.value);
  if (!pattern) {
    return tl::unexpected<core::PlanProblem>(
        core::PlanProblem{step_field(fill.step) + ".value", std::to_string(fill.value),
                          "a value that " + std::string(core::name_of(dtype)) + " holds"});
  }
  return FillBuffer{fill.target, static_cast<int>(core::size_of(dtype)), *pattern, count};
}

core::PlanResult<FillBuffer> build_fill(const core::ResolvedFill& fill, const core::ResolvedPlan& plan,
                                        const std::vector<core::TensorFacts>& tensors) {
  const auto tensor =
      std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == fill.target; });
  if (tensor != tensors.end()) return fill_with(fill, tensor->dtype, tensor->elements);
  const auto workspace = std::find_if(plan.workspace.begin(), plan.workspace.end(),
                                      [&](const auto& w) { return w.name == fill.target; });
  if (workspace != plan.workspace.end()) return fill_with(fill, core::DType::u32, workspace->bytes / 4);
  return tl::unexpected<core::PlanProblem>(
      core::PlanProblem{step_field(fill.step) + ".fill", fill.target, "a tensor or a workspace"});
}

}  // namespace

core::PlanResult<LaunchSequence> build_sequence(const core::ResolvedPlan& plan, const core::Task& task,
                                                const std::map<std::string, CompiledKernel>& kernels,
                                                core::KernelOf whose) {
  const auto tensors = core::tensors_of(task);
  if (!tensors)
    return tl::unexpected<core::PlanProblem>(core::PlanProblem{"task", "", tensors.error().text()});
  LaunchSequence out{plan.tensor_maps, {}};
  for (const auto& step : plan.steps) {
    if (const auto* launch = std::get_if<core::ResolvedLaunch>(&step)) {
      KGEN_TRY(auto built, build_launch(*launch, task, kernels, whose));
      out.steps.emplace_back(std::move(built));
    } else {
      KGEN_TRY(auto built, build_fill(std::get<core::ResolvedFill>(step), plan, *tensors));
      out.steps.emplace_back(std::move(built));
    }
  }
  return out;
}

std::vector<KernelToLoad> kernels_to_load(const core::ResolvedPlan& plan,
                                          const std::map<std::string, CompiledKernel>& kernels) {
  std::vector<KernelToLoad> out;
  const auto volume = [](const std::array<std::int64_t, 3>& v) { return v[0] * v[1] * v[2]; };
  for (const auto& step : plan.steps) {
    const auto* launch = std::get_if<core::ResolvedLaunch>(&step);
    const auto compiled = launch != nullptr ? kernels.find(launch->kernel) : kernels.end();
    if (compiled == kernels.end()) continue;
    const std::string& lowered = compiled->second.lowered_name;
    auto entry = std::find_if(out.begin(), out.end(),
                              [&](const KernelToLoad& k) { return k.lowered_name == lowered; });
    if (entry == out.end())
      entry = out.insert(out.end(), KernelToLoad{launch->kernel, lowered, 0, {1, 1, 1}, {0, 0, 0}, false});
    entry->dynamic_shared_bytes = std::max(entry->dynamic_shared_bytes, launch->dynamic_shared_bytes);
    if (volume(launch->block) > volume(entry->block)) entry->block = launch->block;
    if (volume(launch->cluster) > volume(entry->cluster)) entry->cluster = launch->cluster;
    entry->cooperative = entry->cooperative || launch->cooperative;
  }
  return out;
}

}  // namespace kgen::run
