#include "harness/judge/emulated_resources.hpp"

#include <algorithm>

#include "harness/judge/launch_facts.hpp"
#include "harness/run/occupancy_limit.hpp"

namespace kgen::judge {
namespace {

/// A launch's kernel as ptxas sees it; null: nothing is known of it.
core::KernelFacts* facts_of(Session& session, std::size_t program, const std::string& lowered_name) {
  std::string expression;
  for (const auto& kernel : session.programs[program].result.kernels) {
    if (kernel.lowered_name == lowered_name) expression = kernel.expression;
  }
  for (auto& facts : session.evaluation.compile.kernels) {
    if (facts.name == expression && facts.registers > 0) return &facts;
  }
  return nullptr;
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
  core::KernelFacts* const facts = facts_of(session, shape.program, launch.lowered_name);
  if (facts == nullptr) return true;
  const run::SmLimits sm = sm_limits(session.workplace.facts);
  const auto threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  const run::BlockNeeds needs{
      threads, facts->registers,
      std::max<std::int64_t>(facts->static_shared_bytes, 0) + launch.dynamic_shared_bytes};
  if (shape.task_shape) fill_occupancy(sm, needs, launch, *facts);
  if (run::resident_blocks(sm, needs) > 0) return true;
  return session.stop(core::Verdict::launch_error, "out_of_resources",
                      core::describe_dims(shape.task) + ": kernel " + facts->name + " with " +
                          std::to_string(facts->registers) + " registers a thread and " +
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
