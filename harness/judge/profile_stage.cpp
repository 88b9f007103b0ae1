#include "harness/judge/profile_stage.hpp"

#include <algorithm>

#include "harness/judge/checks.hpp"
#include "harness/judge/launch_facts.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

bool is_too_slow(const Session& session) {
  const double limit = session.request.profile_below_us;
  const auto& timing = session.evaluation.timing;
  return limit > 0 && timing && timing->candidate.median_us > limit;
}

ProfileSubject subject_of(const Session& session) {
  const ShapeCase& shape = session.task_case();
  ProfileSubject out;
  out.code = session.programs[shape.program].code();
  out.kernels = kernels_of(session, shape.program);
  out.sequence = shape.sequence;
  for (const auto& buffer : buffers_of(shape)) {
    if (buffer.use == BufferUse::inout) out.restore.push_back(buffer.name);
  }
  out.limit = session.launch_limit(64);
  return out;
}

void add_static_facts(const Session& session, core::KernelProfile& kernel) {
  const auto& kernels = session.evaluation.compile.kernels;
  const auto facts =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto& f) { return f.name == kernel.kernel; });
  if (facts != kernels.end()) add_launch_facts(*facts, session.workplace.facts, kernel.metrics);
}

/// Adds the kinds of machine instructions to the kernels that `profile` has, or why there are none.
void add_machine_code(const Session& session, core::Profile& profile) {
  if (!session.workplace.count_machine_code) return;
  const compile::CompileResult& compiled = session.programs[session.task_case().program].result;
  const auto counted = session.workplace.count_machine_code(compiled.cubin);
  if (!counted) {
    profile.gaps.push_back({"machine code (SASS)", counted.error().message, counted.error().hint});
    return;
  }
  for (core::KernelProfile& kernel : profile.kernels) {
    for (const auto& known : compiled.kernels) {
      const auto found = counted->find(known.lowered_name);
      if (known.expression == kernel.kernel && found != counted->end())
        kernel.metrics.insert(found->second.begin(), found->second.end());
    }
  }
}

}  // namespace

Status describe_task(const Session& session, core::Profile& profile) {
  const core::Task& task = session.task_case().task;
  KGEN_TRY(const auto cost, core::cost_of(task));
  profile.dims = task.dims;
  profile.task.op_bytes = static_cast<double>(cost.bytes);
  profile.task.product_flops = static_cast<double>(cost.product_flops);
  // Plain f32 products do not run on tensor cores.
  if (task.dtype != core::DType::f32)
    profile.task.tensor_flops_per_s = core::product_ceiling(session.workplace.facts, task.dtype).flops;
  return {};
}

Result<bool> profile_candidate(Session& session) {
  if (session.is_emulated() || !session.request.profile || is_too_slow(session)) return true;
  const util::Stopwatch watch;
  ExecutionDevice& device = *session.workplace.device;
  const ShapeCase& shape = session.task_case();
  KGEN_TRY(const int set, set_of(session, 0));
  const InputCase input =
      input_case(session.request.seed, shape.task, session.request.task.op->distributions.front(), 0);
  KGEN_CHECK(fill_inputs(device, set, shape.tensors, input));
  KGEN_CHECK(device.prepare(set, kNanPoison));
  auto reading = device.profile(set, subject_of(session));
  core::Profile profile;
  profile.source = "CUPTI";
  KGEN_CHECK(describe_task(session, profile));
  profile.kernels = std::move(reading.kernels);
  profile.gaps = std::move(reading.gaps);
  profile.not_available = std::move(reading.not_available);
  for (auto& kernel : profile.kernels) add_static_facts(session, kernel);
  add_machine_code(session, profile);
  profile.cost_ms = watch.elapsed_ms();
  session.evaluation.profile = std::move(profile);
  return true;
}

Result<bool> list_machine_code(Session& session) {
  if (!session.request.profile || !session.workplace.count_machine_code) return true;
  core::Profile profile;
  profile.source = "nvdisasm";
  KGEN_CHECK(describe_task(session, profile));
  for (const auto& kernel : session.evaluation.compile.kernels)
    profile.kernels.push_back({kernel.name, {}, {}});
  add_machine_code(session, profile);
  if (!profile.gaps.empty()) profile.kernels.clear();  // nothing else is known of them
  session.evaluation.profile = std::move(profile);
  return true;
}

}  // namespace kgen::judge
