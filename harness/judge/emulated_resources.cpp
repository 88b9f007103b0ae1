#include "harness/judge/emulated_resources.hpp"

#include <algorithm>

#include "harness/judge/launch_facts.hpp"
#include "harness/run/occupancy_limit.hpp"

namespace kgen::judge {
namespace {

/// A launch's kernel as ptxas made it of the shape's own program; null: nothing is known of it.
const compile::CompiledKernel* compiled_of(const Session& session, std::size_t program,
                                           const std::string& lowered_name) {
  for (const auto& kernel : session.programs[program].result.kernels) {
    if (kernel.lowered_name == lowered_name && kernel.registers > 0) return &kernel;
  }
  return nullptr;
}

/// What is reported of a kernel of the task's program; null: nothing.
core::KernelFacts* facts_of(Session& session, const std::string& expression) {
  const auto found =
      std::ranges::find(session.evaluation.compile.kernels, expression, &core::KernelFacts::name);
  return found == session.evaluation.compile.kernels.end() ? nullptr : &*found;
}

void fill_occupancy(const run::SmLimits& sm, const run::BlockNeeds& needs, const run::LaunchKernel& launch,
                    core::KernelFacts& facts) {
  facts.threads_per_block = needs.threads;
  facts.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  facts.blocks_per_sm = static_cast<int>(run::resident_blocks(sm, needs));
  const int warps = facts.blocks_per_sm * ((needs.threads + 31) / 32);
  facts.occupancy = warps / (sm.max_threads / 32.0);
  facts.occupancy_limit = run::occupancy_limit(sm, needs);
}

bool check_launch(Session& session, const ShapeCase& shape, const run::LaunchKernel& launch) {
  const compile::CompiledKernel* const kernel = compiled_of(session, shape.program, launch.lowered_name);
  if (kernel == nullptr) return true;
  const run::SmLimits sm = sm_limits(session.workplace.facts);
  const auto threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  const run::BlockNeeds needs{
      threads, static_cast<int>(kernel->registers),
      std::max<std::int64_t>(kernel->static_shared_bytes, 0) + launch.dynamic_shared_bytes};
  core::KernelFacts* const facts = shape.task_shape ? facts_of(session, kernel->expression) : nullptr;
  if (facts != nullptr) fill_occupancy(sm, needs, launch, *facts);
  if (run::resident_blocks(sm, needs) > 0) return true;
  return session.stop(core::Verdict::launch_error, "out_of_resources",
                      core::describe_dims(shape.task) + ": kernel " + kernel->expression + " with " +
                          std::to_string(kernel->registers) + " registers a thread and " +
                          std::to_string(threads) + " threads a block needs more " +
                          run::occupancy_limit(sm, needs) +
                          " than a multiprocessor has; __launch_bounds__ would keep its registers down");
}

}  // namespace

bool check_resources(Session& session) {
  for (const ShapeCase& shape : session.shapes) {
    for (const auto& step : shape.sequence.steps) {
      const auto* const launch = std::get_if<run::LaunchKernel>(&step);
      if (launch != nullptr && !check_launch(session, shape, *launch)) return false;
    }
  }
  return true;
}

}  // namespace kgen::judge
