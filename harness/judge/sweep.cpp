#include "harness/judge/sweep.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "harness/judge/baselines.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/median.hpp"
#include "harness/judge/timed_candidate.hpp"
#include "harness/judge/timing.hpp"
#include "harness/judge/variant_stages.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

using core::SweptVariant;
using core::Verdict;

constexpr std::size_t kBatch =
    16;  ///< variants compiled at once: the first are timed before all are compiled
constexpr int kMostSets = 4;
constexpr SeriesLimits kVariantLimits{160, 1, 0.005};

/// One variant on its way: a session of the task's shape alone.
struct Entry {
  core::EvaluateRequest request;
  std::unique_ptr<Session> session;
  bool compiled = false;
};

std::vector<std::pair<std::string, std::int64_t>> workspaces_of(const Session& session) {
  std::vector<std::pair<std::string, std::int64_t>> out;
  for (const auto& workspace : session.task_case().resolved.workspace)
    out.emplace_back(workspace.name, workspace.bytes);
  return out;
}

class Sweep {
 public:
  Sweep(const Workplace& workplace, const core::SweepRequest& request, const StageEvent& on_stage)
      : workplace_(workplace), request_(request), on_stage_(on_stage) {}

  Result<core::SweepReply> run();
  /// Lets go of the process and of all buffers.
  void close();

 private:
  Result<std::vector<Entry>> compile_batch(std::size_t begin, std::size_t end);
  Result<bool> prepare(Session& session);
  Status try_variant(Entry& entry);
  Result<bool> run_variant(Session& session, SweptVariant& found);
  Result<bool> make_ready(Session& session);
  Result<bool> time(Session& session, TimedCandidate& candidate, SweptVariant& found);
  void let_go(Session& session);
  bool times() const { return workplace_.facts.kind != core::DeviceKind::emulator; }
  bool out_of_time() const { return watch_.elapsed_s() > request_.limit_s; }

  const Workplace& workplace_;
  const core::SweepRequest& request_;
  const StageEvent& on_stage_;
  const StageEvent silent_ = [](const core::Stage&) {};
  util::Stopwatch watch_;
  core::SweepReply reply_;
  // What goes from one variant to the next: the process, and the sets where its workspaces are the same.
  std::unique_ptr<Runner> runner_;
  std::vector<FilledSet> sets_;
  std::vector<std::pair<std::string, std::int64_t>> workspaces_;
  double best_high_us_ = std::numeric_limits<double>::infinity();
};

Result<core::SweepReply> Sweep::run() {
  const std::size_t count = request_.variants.size();
  for (std::size_t begin = 0; begin < count && !out_of_time(); begin += kBatch) {
    const util::Stopwatch batch;
    KGEN_TRY(auto entries, compile_batch(begin, std::min(begin + kBatch, count)));
    on_stage_({"compile", batch.elapsed_ms()});
    for (Entry& entry : entries) {
      if (out_of_time()) break;
      KGEN_CHECK(try_variant(entry));
    }
  }
  reply_.not_tried = static_cast<int>(count - reply_.variants.size());
  reply_.ms = watch_.elapsed_ms();
  return std::move(reply_);
}

/// Everything before the compiler. False: the verdict is set.
Result<bool> Sweep::prepare(Session& session) {
  KGEN_TRY(const bool readable, read_plan(session));
  if (!readable) return false;
  return choose_task_shape(session);
}

Result<std::vector<Entry>> Sweep::compile_batch(std::size_t begin, std::size_t end) {
  std::vector<Entry> entries(end - begin);
  std::vector<Session*> sound;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry& entry = entries[i];
    entry.request.task = request_.task;
    entry.request.source = request_.source;
    entry.request.seed = request_.seed;
    entry.request.variant = request_.variants[begin + i];
    entry.request.kernel_timeout_s = request_.kernel_timeout_s;
  }
  for (Entry& entry : entries) {  // the requests stay where they are from here on
    entry.session.reset(new Session{workplace_, entry.request, silent_, {}, {}, {}, {}, {}});
    KGEN_TRY(entry.compiled, prepare(*entry.session));
    if (entry.compiled) sound.push_back(entry.session.get());
  }
  const auto compiled = compile_together(workplace_, sound);
  auto next = compiled.begin();
  for (Entry& entry : entries) {
    if (!entry.compiled) continue;
    KGEN_TRY(entry.compiled, *next++);
  }
  return entries;
}

Status Sweep::try_variant(Entry& entry) {
  const util::Stopwatch watch;
  Session& session = *entry.session;
  SweptVariant found;
  found.variant = entry.request.variant;
  bool right = entry.compiled;
  for (const auto stage : {check_policy, bind_launches}) {
    if (!right) break;
    KGEN_TRY(right, stage(session));
  }
  if (right && workplace_.device == nullptr) {
    session.stop(Verdict::not_run, "", "compiled; not run: no device");
  } else if (right) {
    KGEN_TRY(right, run_variant(session, found));
    if (right) session.stop(Verdict::correct, "", "");
  }
  found.verdict = session.evaluation.verdict;
  found.kind = session.evaluation.kind;
  found.message = session.evaluation.message;
  for (const auto& kernel : session.evaluation.compile.kernels) {
    found.registers = std::max(found.registers, kernel.registers);
    found.spill_bytes = std::max(found.spill_bytes, kernel.spill_bytes);
  }
  if (found.verdict != Verdict::correct) found.time.reset();
  reply_.variants.push_back(std::move(found));
  on_stage_({"variant " + core::variant_text(entry.request.variant), watch.elapsed_ms()});
  return {};
}

/// A process and filled sets for the session: those of the variant before, where they fit. False: the verdict
/// is set.
Result<bool> Sweep::make_ready(Session& session) {
  if (!sets_.empty() && workspaces_of(session) != workspaces_) let_go(session);
  if (!runner_) {
    KGEN_TRY(runner_, workplace_.device->start_runner());
  }
  session.bench.runner = std::move(runner_);
  if (sets_.empty()) {
    KGEN_TRY(const bool has_room, check_memory(session));
    if (!has_room) return false;
    KGEN_TRY(sets_, fill_sets(session, times() ? kMostSets : 1));
    workspaces_ = workspaces_of(session);
  }
  session.bench.sets[0] = sets_.front().set;
  return true;
}

/// Lets go of the process and of all buffers: after a variant that may have left anything in either.
void Sweep::let_go(Session& session) {
  if (runner_) session.bench.runner = std::move(runner_);
  close_candidate(session);
  session.bench.sets.clear();
  sets_.clear();
}

void Sweep::close() {
  if (runner_) (void)runner_->forget_sets();
  runner_.reset();
  if (workplace_.baselines) workplace_.baselines->forget_sets();
  if (workplace_.device) workplace_.device->drop_sets();
}

/// True: right, and timed where the device times. False: the verdict is set.
Result<bool> Sweep::run_variant(Session& session, SweptVariant& found) {
  const auto ready = make_ready(session);
  if (!ready || !*ready) let_go(session);
  if (!ready && reply_.variants.empty()) return tl::unexpected(ready.error());
  if (!ready)  // its workspaces are larger
    return session.stop(Verdict::not_run, "no_room", ready.error().message);
  if (!*ready) return false;
  const auto tried = [&]() -> Result<bool> {
    KGEN_TRY(const bool loaded, load_program(session, 0));
    if (!loaded) return false;
    TimedCandidate candidate(session);
    KGEN_TRY(const bool verified, candidate.verify_sets(sets_));
    if (!verified) return false;
    if (times()) {
      KGEN_TRY(const bool timed, time(session, candidate, found));
      if (!timed) return false;
    }
    return candidate.check_afterwards();
  }();
  const auto& evaluation = session.evaluation;
  const bool harmless =
      tried && (*tried || (evaluation.verdict == Verdict::wrong_result && evaluation.kind.empty()));
  if (!harmless) {
    let_go(session);
  } else {
    runner_ = std::move(session.bench.runner);
  }
  return tried;
}

Result<bool> Sweep::time(Session& session, TimedCandidate& candidate, SweptVariant& found) {
  run::TimeBlock block = block_of(session, candidate.sets());
  KGEN_CHECK(workplace_.device->settle());
  if (reply_.method.empty()) {
    KGEN_TRY(const bool warm, candidate.warm_up(block, true));
    if (!warm) return false;
    reply_.method = block.graph ? "graph" : "stream";
  } else {
    block.graph = reply_.method == "graph";
    const auto warm = candidate.time(block);
    if (candidate.stopped()) return false;
    if (!warm) return tl::unexpected(warm.error());
  }
  std::vector<TimedSubject> subjects(1);
  subjects[0].time = [&](const run::TimeBlock& b) { return candidate.time(b); };
  SeriesLimits limits = kVariantLimits;
  limits.hopeless_above_us = best_high_us_;
  const util::Stopwatch clock;
  const auto rounds = time_in_rounds(
      subjects, block, request_.seed, limits, [&] { return clock.elapsed_ms(); }, [] { return Status{}; });
  if (candidate.stopped()) return false;
  if (!rounds) return tl::unexpected(rounds.error());
  const core::Interval bare = median_interval(subjects[0].samples);
  found.stopped_early = bare.low_us > best_high_us_;
  found.time = widened(bare, kProcessSpread);
  best_high_us_ = std::min(best_high_us_, found.time->high_us);
  return true;
}

}  // namespace

Result<core::SweepReply> sweep(const Workplace& workplace, const core::SweepRequest& request,
                               const StageEvent& on_stage) {
  Sweep all(workplace, request, on_stage);
  auto reply = all.run();
  all.close();
  return reply;
}

}  // namespace kgen::judge
