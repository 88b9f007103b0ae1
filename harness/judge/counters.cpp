#include "harness/judge/counters.hpp"

#include "harness/judge/checks.hpp"
#include "harness/judge/profile_stage.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"

namespace kgen::judge {

Result<bool> count_candidate(Session& session) {
  if (!session.is_emulated()) return true;
  KGEN_TRY(const bool loaded, load_program(session, session.task_case().program));
  if (!loaded) return false;
  const auto& distribution = session.request.task.op->distributions.front();
  const InputCase input = input_case(session.request.seed, session.task_case().task, distribution, 0);
  KGEN_TRY(const int set, set_of(session, 0));
  KGEN_CHECK(fill_inputs(*session.workplace.device, set, session.task_case().tensors, input));
  KGEN_CHECK(session.workplace.device->prepare(set, kNanPoison));
  auto kernels =
      session.bench.runner->launch_counted(set, session.task_case().sequence, session.launch_limit());
  if (!kernels) return stop_at_failure(session, kernels.error(), "counting");
  core::Profile profile;
  profile.source = "emulator";
  profile.simulated = true;
  KGEN_CHECK(describe_task(session, profile));
  profile.kernels = std::move(*kernels);
  session.evaluation.profile = std::move(profile);
  return true;
}

}  // namespace kgen::judge
