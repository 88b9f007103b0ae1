#include "harness/judge/measure_baselines.hpp"

#include "harness/judge/baselines.hpp"
#include "harness/judge/oracle.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/timing.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

constexpr SeriesLimits kLimits{1500, 4, 0.005};

core::BaselineReply none_can_run(const core::Op& op) {
  core::BaselineReply reply;
  for (const auto& baseline : op.baselines) {
    core::BaselineTiming timing;
    timing.name = baseline.name;
    timing.library = baseline.kind != "naive";
    timing.why_missing = "no device to run it on";
    reply.baselines.push_back(std::move(timing));
  }
  return reply;
}

/// Sets of the task's tensors with inputs of the first distribution.
Result<std::vector<int>> filled_sets(const Workplace& workplace, const core::BaselineRequest& request) {
  ShapeCase shape;
  shape.task = request.task;
  KGEN_TRY(shape.tensors, core::tensors_of(request.task));
  std::int64_t bytes = 0;
  for (const auto& tensor : shape.tensors) bytes += tensor.bytes;
  KGEN_TRY(const I64 available, workplace.device->free_bytes());
  const int count = timing_sets(bytes, workplace.facts.l2_bytes, available);
  std::vector<int> sets;
  for (int i = 0; i < count; ++i) {
    KGEN_TRY(const int set, workplace.device->make_set(buffers_of(shape)));
    const auto& distribution = request.task.op->distributions.front();
    const InputCase input = input_case(request.seed, request.task, distribution, i);
    KGEN_CHECK(fill_inputs(*workplace.device, set, shape.tensors, input));
    KGEN_CHECK(workplace.device->prepare(set, kNanPoison));
    sets.push_back(set);
  }
  return sets;
}

Result<core::BaselineReply> time_all(const Workplace& workplace, const core::BaselineRequest& request,
                                     const StageEvent& on_stage) {
  util::Stopwatch clock;
  KGEN_TRY(const auto sets, filled_sets(workplace, request));
  KGEN_TRY(auto baselines, workplace.baselines->ready(request.task, sets));
  KGEN_CHECK(workplace.device->settle());
  on_stage({"baseline warm-up", clock.elapsed_ms()});
  const double start = clock.elapsed_ms();
  run::TimeBlock block;
  block.order = sets;
  block.flush_bytes = 2 * workplace.facts.l2_bytes;
  core::BaselineReply reply;
  for (auto& baseline : baselines) {
    if (baseline.time) {
      std::vector<TimedSubject> subjects{{baseline.timing.name, baseline.time, 1 << 20, {}, {}, {}}};
      const auto rounds = time_in_rounds(
          subjects, block, request.seed, kLimits, [&] { return clock.elapsed_ms(); },
          [] { return Status{}; });
      if (rounds) {
        describe_baseline(subjects[0], baseline.timing);
      } else {
        baseline.timing.why_missing = rounds.error().text();
      }
    }
    reply.baselines.push_back(std::move(baseline.timing));
  }
  on_stage({"baselines", clock.elapsed_ms() - start});
  return reply;
}

}  // namespace

Result<core::BaselineReply> measure_baselines(const Workplace& workplace,
                                              const core::BaselineRequest& request,
                                              const StageEvent& on_stage) {
  if (!workplace.device || !workplace.baselines) return none_can_run(*request.task.op);
  auto reply = time_all(workplace, request, on_stage);
  workplace.baselines->forget_sets();
  workplace.device->drop_sets();
  return reply;
}

}  // namespace kgen::judge
