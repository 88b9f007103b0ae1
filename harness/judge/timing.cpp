#include "harness/judge/timing.hpp"

#include <algorithm>

#include "harness/judge/baselines.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/median.hpp"
#include "harness/judge/roofline.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/timed_candidate.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

SeriesLimits limits_of(core::Tier tier) {
  if (tier == core::Tier::screen) return {160, 2, 0.005};
  return {4000, 6, 0.003};
}

/// Share of the time for rounds that fresh values between them may take.
constexpr double kRefreshShare = 0.25;
constexpr double kNoisyHalfWidth = 0.02;  ///< of an interval, relative to its median

Result<std::vector<ReadyBaseline>> ready_baselines(Session& session, const std::vector<int>& sets) {
  if (!session.workplace.baselines) return std::vector<ReadyBaseline>{};
  const util::Stopwatch watch;
  const bool warm = session.workplace.baselines->is_warm(session.request.task);
  KGEN_TRY(auto ready, session.workplace.baselines->ready(session.request.task, sets));
  if (!warm) {
    // A naive baseline took a process that the next candidate would wait for.
    KGEN_CHECK(session.workplace.device->start_ahead());
    session.add_time("timing/baseline warm-up", watch.elapsed_ms());
    session.on_stage({"baseline warm-up", watch.elapsed_ms()});
  }
  return ready;
}

/// State of the clocks while the device worked; the slowest and hottest moment seen.
struct ClockWatch {
  const std::function<cuda::DeviceState()>& read;
  double last_ms = -1e9;
  void look(core::Timing& timing, double now_ms) {
    if (!read || now_ms - last_ms < 50) return;
    last_ms = now_ms;
    const cuda::DeviceState state = read();
    timing.sm_clock_mhz =
        timing.sm_clock_mhz > 0 ? std::min(timing.sm_clock_mhz, state.sm_clock_mhz) : state.sm_clock_mhz;
    timing.power_w = std::max(timing.power_w, state.power_w);
    timing.temperature_c = std::max(timing.temperature_c, state.temperature_c);
    if (!state.throttle.empty()) timing.throttle = state.throttle;
  }
};

/// Whether the comparison with the quickest library is too loose to rank by.
bool is_loose(const core::Timing& timing) {
  const auto& all = timing.baselines;
  const auto quickest = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return b.speedup <= 0 || (a.speedup > 0 && a.speedup < b.speedup);
  });
  return quickest != all.end() && quickest->speedup > 0 &&
         quickest->speedup_high - quickest->speedup_low > 2 * kNoisyHalfWidth * quickest->speedup;
}

void add_flags(core::Evaluation& evaluation) {
  const core::Timing& timing = *evaluation.timing;
  if (relative_half_width(timing.candidate) > kNoisyHalfWidth || is_loose(timing))
    evaluation.flags.push_back("noisy");
  if (!timing.throttle.empty()) evaluation.flags.push_back("throttled");
  if (timing.candidate.median_us < timing.plausible_floor_us) evaluation.flags.push_back("implausible_time");
}

}  // namespace

run::TimeBlock block_of(const Session& session, const std::vector<int>& sets) {
  run::TimeBlock block;
  block.order = sets;
  block.flush_bytes = 2 * session.workplace.facts.l2_bytes;
  block.limit = session.launch_limit(sets.size());
  return block;
}

int timing_sets(std::int64_t bytes_a_set, std::int64_t l2_bytes, std::int64_t free_bytes) {
  const std::int64_t bytes = std::max<std::int64_t>(bytes_a_set, 1);
  const std::int64_t wanted = std::clamp<std::int64_t>((2 * l2_bytes + bytes - 1) / bytes, 4, 8);
  return static_cast<int>(std::clamp<std::int64_t>(free_bytes / 2 / bytes, 1, wanted));
}

Result<bool> time_candidate(Session& session) {
  const bool emulated = session.is_emulated();
  if (emulated || !session.request.timing) {
    add_state_check(session, core::Check::State::skipped, "timed_launches",
                    emulated ? "the emulator claims no time" : "timing was not asked for");
    return true;
  }
  KGEN_TRY(const bool loaded, load_program(session, session.task_case().program));
  if (!loaded) return false;
  const util::Stopwatch clock;
  const auto now = [&] { return clock.elapsed_ms(); };
  TimedCandidate candidate(session);
  KGEN_TRY(const bool verified, candidate.verify_sets());
  if (!verified) return false;
  KGEN_TRY(auto baselines, ready_baselines(session, candidate.sets()));
  KGEN_CHECK(session.workplace.device->settle());

  core::Timing timing;
  run::TimeBlock block = block_of(session, candidate.sets());
  // Torch queues its launches on a stream: beside it nothing is timed as a graph, which would be the shorter
  // for it.
  const bool beside_torch = std::any_of(baselines.begin(), baselines.end(),
                                        [](const auto& b) { return b.time && b.timing.process == "torch"; });
  KGEN_TRY(const bool warm, candidate.warm_up(block, !beside_torch));
  if (!warm) return false;
  timing.method = block.graph ? "graph" : "stream";
  std::vector<TimedSubject> subjects(1);
  subjects[0].time = [&](const run::TimeBlock& b) { return candidate.time(b); };
  std::vector<std::size_t> subject_of;  // of each baseline; 0: none
  for (auto& baseline : baselines) {
    subject_of.push_back(baseline.time ? subjects.size() : 0);
    if (!baseline.time) continue;
    const int rounds = baseline.slow ? 2 : 1 << 20;
    subjects.push_back({baseline.timing.name, baseline.time, rounds, {}, {}, {}});
  }
  ClockWatch watch{session.workplace.device_state};
  const SeriesLimits limits = limits_of(session.request.tier);
  const auto rounds = time_in_rounds(subjects, block, session.request.seed, limits, now, [&] {
    watch.look(timing, now());
    return candidate.refresh(kRefreshShare * limits.budget_ms);
  });
  if (candidate.stopped()) return false;
  if (!rounds) return tl::unexpected(rounds.error());
  if (!candidate.is_as_quick_on_fresh_values()) return false;
  timing.candidate = widened(median_interval(subjects[0].samples), kProcessSpread);
  for (std::size_t i = 0; i < baselines.size(); ++i) {
    if (subject_of[i] != 0) describe_baseline(subjects[subject_of[i]], baselines[i].timing);
    timing.baselines.push_back(std::move(baselines[i].timing));
  }
  timing.checked_launches = candidate.checked_launches();
  KGEN_CHECK(fill_floors(session.request.task, session.workplace.facts, timing));
  session.evaluation.timing = std::move(timing);
  if (!session.workplace.device_state)
    add_state_check(session, core::Check::State::skipped, "clock_state",
                    "NVML is not there: nobody saw whether clocks fell or the device was throttled");
  add_flags(session.evaluation);
  if (std::any_of(subjects.begin(), subjects.end(), [](const auto& s) { return !s.why_stopped.empty(); }))
    session.evaluation.flags.push_back("baseline_failed");
  return candidate.check_afterwards();
}

}  // namespace kgen::judge
