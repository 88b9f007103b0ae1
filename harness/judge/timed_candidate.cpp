#include "harness/judge/timed_candidate.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/median.hpp"
#include "harness/judge/set_outputs.hpp"
#include "harness/judge/timing.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

/// A promotion makes values anew at least so often, where making them and what is expected of them takes no
/// longer than this.
constexpr std::size_t kLeastFresh = 5;
constexpr double kDearestFillMs = 700;
/// How much longer launches on fresh values may take: beyond the first a person is told, beyond the second
/// the kernel remembers results.
constexpr double kFlagOnFresh = 1.03, kSlowerOnFresh = 1.10;

std::string times_text(double ratio) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.2f times", ratio);
  return text.data();
}

/// In a graph the event behind a programmatic dependent launch depends on that launch alone, whatever it
/// left unfinished.
bool has_dependent_launch(const run::LaunchSequence& sequence) {
  return std::any_of(sequence.steps.begin(), sequence.steps.end(), [](const auto& step) {
    const auto* launch = std::get_if<run::LaunchKernel>(&step);
    return launch != nullptr && launch->pdl;
  });
}

}  // namespace

bool TimedCandidate::stop(core::Verdict verdict, const std::string& message) {
  add_state_check(session_, core::Check::State::failed, "timed_launches", message);
  stopped_ = true;
  return session_.stop(verdict, "timed_launch", message);
}

std::vector<int> TimedCandidate::sets() const {
  std::vector<int> out;
  for (const TimedSet& set : sets_) out.push_back(set.filled.set);
  return out;
}

Result<bool> TimedCandidate::verify_sets() {
  KGEN_TRY(const int count, count_sets(session_));
  for (int i = 0; i < count; ++i) {
    const util::Stopwatch watch;
    KGEN_TRY(const FilledSet filled, fill_set(session_, i));
    fill_ms_ = watch.elapsed_ms();  // of the last: the first may compile the oracle
    KGEN_TRY(const bool right, verify(filled));
    if (!right) return false;
    if (bits_are_fixed(session_)) session_.workplace.device->drop_expected(filled.set);
  }
  return true;
}

Result<bool> TimedCandidate::verify_sets(const std::vector<FilledSet>& filled) {
  for (const FilledSet& set : filled) {
    KGEN_TRY(const bool right, verify(set));
    if (!right) return false;
  }
  return true;
}

Result<bool> TimedCandidate::verify(const FilledSet& filled) {
  KGEN_TRY(const bool went, check_execution(session_, 0, filled.set, filled.input));
  if (!went) return false;
  if (any_failed(session_)) return conclude(session_);
  KGEN_TRY(const U64 results, hash_results(session_, filled.set));
  sets_.push_back({filled, results, false});
  return true;
}

Result<bool> TimedCandidate::warm_up(run::TimeBlock& block, bool may_graph) {
  auto times = time(block);
  if (stopped_) return false;
  if (!times) return tl::unexpected(times.error());
  block.graph = may_graph && !has_dependent_launch(session_.task_case().sequence) &&
                median_interval(*times).median_us < kGraphBelowUs;
  if (!block.graph) return true;
  auto again = time(block);
  if (!again && !stopped_) return tl::unexpected(again.error());
  return !stopped_;
}

TimedCandidate::TimedSet& TimedCandidate::timed_set(int number) {
  return *std::find_if(sets_.begin(), sets_.end(),
                       [&](const TimedSet& timed) { return timed.filled.set == number; });
}

Result<std::vector<double>> TimedCandidate::time(const run::TimeBlock& block) {
  const auto& tensors = session_.task_case().tensors;
  const bool in_place = std::any_of(tensors.begin(), tensors.end(),
                                    [](const auto& tensor) { return tensor.role == core::Role::inout; });
  return in_place ? time_apart(block) : time_together(block);
}

/// Each launch as a block of its own.
Result<std::vector<double>> TimedCandidate::time_apart(const run::TimeBlock& block) {
  std::vector<double> all;
  run::TimeBlock one = block;
  for (const int set : block.order) {
    one.order = {set};
    KGEN_TRY(const auto times, time_together(one));
    all.insert(all.end(), times.begin(), times.end());
  }
  return all;
}

Result<std::vector<double>> TimedCandidate::time_together(run::TimeBlock block) {
  for (const BufferSpec& buffer : buffers_of(session_.task_case())) {
    if (buffer.use == BufferUse::output || buffer.use == BufferUse::workspace)
      block.poisoned.push_back(buffer.name);
  }
  block.poison = kNanPoison;
  for (const int set : block.order) KGEN_CHECK(session_.workplace.device->prepare(set, kNanPoison));
  auto times = session_.bench.runner->time_block(session_.task_case().sequence, block);
  if (!times) {
    KGEN_TRY([[maybe_unused]] const bool never,
             stop_at_failure(session_, times.error(), "while being timed"));
    add_state_check(session_, core::Check::State::failed, "timed_launches", session_.evaluation.message);
    stopped_ = true;
    return fail(ErrorKind::internal, "the candidate stopped while being timed");
  }
  for (std::size_t i = 0; i < block.order.size(); ++i) {
    TimedSet& set = timed_set(block.order[i]);
    (set.fresh ? fresh_us_ : repeated_us_).push_back((*times)[i]);
    KGEN_TRY(const bool right, outputs_are_right(set));
    if (!right) {
      const std::string message =
          "a timed launch gave other results than the same launch before: what is timed must be what is "
          "checked";
      stop(core::Verdict::wrong_result, message);
      return fail(ErrorKind::internal, message);
    }
    ++checked_;
  }
  return std::move(*times);
}

Result<bool> TimedCandidate::outputs_are_right(TimedSet& set) {
  const int number = set.filled.set;
  const bool fresh = std::exchange(set.fresh, false);
  if (!bits_are_fixed(session_))
    return outputs_in_tolerance(session_, session_.task_case(), number, set.filled.input);
  KGEN_TRY(const U64 results, hash_results(session_, number));
  if (!fresh) return results == set.output_hash;
  KGEN_TRY(const bool right, outputs_in_tolerance(session_, session_.task_case(), number, set.filled.input));
  session_.workplace.device->drop_expected(number);
  set.output_hash = results;
  return right;
}

Status TimedCandidate::refresh(double budget_ms) {
  const bool owed = session_.request.tier == core::Tier::promotion &&
                    refreshed_ < static_cast<int>(kLeastFresh) && fill_ms_ <= kDearestFillMs;
  if (refresh_ms_ + fill_ms_ > budget_ms && !owed) return {};
  KGEN_TRY(const I64 available, bytes_for_sets(session_, session_.task_case().task));
  if (available < bytes_a_set(session_.task_case())) return {};
  const util::Stopwatch watch;
  TimedSet& set = sets_[static_cast<std::size_t>(refreshed_) % sets_.size()];
  KGEN_TRY(const bool unchanged, inputs_are_unchanged(set));
  if (!unchanged) return fail(ErrorKind::internal, session_.evaluation.message);
  const int number = static_cast<int>(sets_.size()) + refreshed_;
  KGEN_TRY(set.filled, fill_anew(session_, set.filled.set, number));
  set.fresh = true;
  ++refreshed_;
  fill_ms_ = watch.elapsed_ms();
  refresh_ms_ += fill_ms_;
  return {};
}

Result<bool> TimedCandidate::inputs_are_unchanged(const TimedSet& set) {
  KGEN_TRY(const U64 now,
           session_.workplace.device->hash(set.filled.set, BufferUse::input, hash_key(session_)));
  return now == set.filled.input_hash ||
         stop(core::Verdict::input_modified, "a timed launch changed an input");
}

bool TimedCandidate::is_as_quick_on_fresh_values() {
  if (fresh_us_.size() < kLeastFresh || repeated_us_.size() < kLeastFresh) return true;
  const core::Interval fresh = median_interval(fresh_us_), repeated = median_interval(repeated_us_);
  if (fresh.low_us <= repeated.high_us) return true;
  const double ratio = fresh.median_us / repeated.median_us;
  if (ratio > kSlowerOnFresh) {
    return stop(core::Verdict::hidden_state,
                "launches on values that the kernel had not met take " + times_text(ratio) +
                    " as long as those on values that it had met: results are remembered");
  }
  if (ratio > kFlagOnFresh) session_.evaluation.flags.push_back("slower_on_fresh_values");
  return true;
}

Result<bool> TimedCandidate::check_afterwards() {
  ExecutionDevice& device = *session_.workplace.device;
  for (const TimedSet& set : sets_) {
    KGEN_TRY(const auto breach, device.guard_breach(set.filled.set));
    if (breach) {
      return stop(core::Verdict::out_of_bounds, "a timed launch wrote outside " + breach->buffer);
    }
    KGEN_TRY(const bool unchanged, inputs_are_unchanged(set));
    if (!unchanged) return false;
  }
  std::string detail = std::to_string(checked_) + " launches, outputs compared after each block";
  detail += refreshed_ > 0 ? "; values made anew " + std::to_string(refreshed_) + " times between blocks"
                           : "; no values made anew: expected ones take too long";
  add_state_check(session_, core::Check::State::passed, "timed_launches", detail);
  KGEN_TRY(const bool read, check_globals(session_));
  return read && conclude(session_);
}

}  // namespace kgen::judge
