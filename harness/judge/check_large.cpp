#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/large_shape.hpp"
#include "harness/judge/run_case.hpp"

// The stage that runs one shape with more than 2^31 elements.
namespace kgen::judge {
namespace {

using core::Check;

bool could_not_run(Session& session, const std::string& why) {
  add_state_check(session, Check::State::skipped, "large", why);
  return true;
}

Result<bool> check_at(Session& session, std::size_t shape) {
  const auto& distribution = session.request.task.op->distributions.front();
  const InputCase input = input_case(session.request.seed, session.shapes[shape].task, distribution, 0);
  // Loaded anew: kernels are opted into the shared memory of the launches known when they are loaded.
  KGEN_TRY(const bool same, check_globals(session));
  if (!same) return false;
  session.bench.loaded = Bench::kNone;
  KGEN_TRY(const bool loaded, load_program(session, session.shapes[shape].program));
  if (!loaded) return false;
  const auto set = set_of(session, shape);
  if (!set) return could_not_run(session, set.error().message);
  if (const auto filled = fill_and_expect(session, shape, *set, input); !filled)
    return could_not_run(session, filled.error().message);
  return check_execution(session, shape, *set, input);
}

}  // namespace

Result<bool> check_large(Session& session) {
  if (session.workplace.facts.kind != core::DeviceKind::cuda)
    return could_not_run(session, "more than 2^31 elements need a GPU's memory");
  KGEN_CHECK(drop_all_sets(session));
  KGEN_TRY(const I64 available, session.workplace.device->free_bytes());
  auto choice = choose_large_shape(session.plan, session.request.task, session.workplace.facts, available);
  if (!choice.shape) return could_not_run(session, choice.why_none);
  session.shapes.push_back(std::move(*choice.shape));
  const std::size_t shape = session.shapes.size() - 1;
  KGEN_TRY(const bool ready, compile_late_shape(session, shape));
  if (!ready) return false;
  KGEN_TRY(const bool went, check_at(session, shape));
  if (!went) return false;
  KGEN_TRY(const bool read, check_globals(session));
  if (!read) return false;
  KGEN_CHECK(drop_all_sets(session));
  return conclude(session);
}

}  // namespace kgen::judge
