#include "harness/judge/dear_shapes.hpp"

#include <algorithm>

#include "harness/judge/baselines.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/large_shape.hpp"
#include "harness/judge/run_case.hpp"

namespace kgen::judge {
namespace {

using core::Check;

constexpr std::int64_t kKeptBytes = std::int64_t{1} << 28;
/// For so little there is room, or nothing can be judged at all.
constexpr std::int64_t kLittleBytes = std::int64_t{1} << 24;
/// A shape that a plan's workspace alone keeps from being judged is the plan's fault where its tensors take
/// less than this part of the memory.
constexpr std::int64_t kRoomForWorkspace = 8;

}  // namespace

bool runs_alone(const ShapeCase& shape) {
  return !shape.made.empty() && bytes_with_expected(shape) > kKeptBytes;
}

Result<bool> makes_room(Session& session, const ShapeCase& shape) {
  const std::int64_t needed = bytes_with_expected(shape);
  if (!runs_alone(shape)) {
    if (needed <= kLittleBytes) return true;
    KGEN_TRY(const I64 beside_others, session.workplace.device->free_bytes());
    if (needed <= beside_others) return true;
  }
  KGEN_CHECK(drop_all_sets(session));
  KGEN_TRY(const I64 available, session.workplace.device->free_bytes());
  if (needed <= available) return true;
  if (needed - workspace_bytes(shape) <= available / kRoomForWorkspace)
    return session.stop(core::Verdict::plan_invalid, "workspace",
                        shape_text(session, shape.task) + ": the plan asks for " +
                            gib_text(workspace_bytes(shape)) + " of workspace, " + gib_text(available) +
                            " are free, and the shape's tensors take less than one part in " +
                            std::to_string(kRoomForWorkspace) + " of that");
  if (shape.made.empty()) return true;  // the device says what it lacks
  add_state_check(session, Check::State::skipped, "made_shape",
                  shape_text(session, shape.task) + " needs " + gib_text(needed) + " of device memory, " +
                      gib_text(available) + " are free");
  return false;
}

Result<bool> give_up(Session& session, std::size_t shape) {
  auto& checks = session.evaluation.checks;
  const auto launch = std::ranges::find(checks.rbegin(), checks.rend(), "launch", &Check::name);
  if (launch != checks.rend()) {  // what the time-out was reported as
    launch->name = session.shapes[shape].large ? "large" : "made_shape";
    launch->state = Check::State::skipped;
    launch->detail = "not judged: " + launch->detail;
  }
  session.stop(core::Verdict::not_run, "", "");
  add_flag(session, "long_shape_unfinished");
  Bench& bench = session.bench;
  bench.given_up.insert(shape);
  bench.runner.reset();
  bench.sets.clear();
  if (session.workplace.baselines) session.workplace.baselines->forget_sets();
  session.workplace.device->drop_sets();
  KGEN_TRY(bench.runner, session.workplace.device->start_runner());
  bench.loaded = Bench::kNone;
  return true;
}

}  // namespace kgen::judge
