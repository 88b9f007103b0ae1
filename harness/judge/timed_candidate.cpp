#include "harness/judge/timed_candidate.hpp"

#include <algorithm>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/median.hpp"
#include "harness/judge/set_outputs.hpp"
#include "harness/judge/timing.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

std::int64_t bytes_a_set(const ShapeCase& shape) {
  std::int64_t bytes = 0;
  for (const auto& tensor : shape.tensors) {
    bytes +=
        tensor.bytes + (tensor.role == core::Role::input ? 0 : 16 * tensor.elements);  // expected values too
  }
  return bytes;
}

std::int64_t traffic_a_set(const ShapeCase& shape) {
  std::int64_t bytes = 0;
  for (const auto& tensor : shape.tensors) bytes += tensor.bytes;
  return bytes;
}

Result<int> count_sets(Session& session) {
  const ShapeCase& shape = session.task_case();
  KGEN_TRY(const I64 available, session.workplace.device->free_bytes());
  const int by_memory = timing_sets(bytes_a_set(shape), 0, available);
  const int wanted = timing_sets(traffic_a_set(shape), session.workplace.facts.l2_bytes, available);
  return std::min(by_memory < 4 ? by_memory : wanted, wanted);
}

/// Fresh values for a set, numbered from 0 over all that the candidate is timed on, and what is expected.
Result<FilledSet> fill_anew(Session& session, int set, int number) {
  FilledSet out;
  out.set = set;
  out.input = input_case(session.request.seed, session.task_case().task,
                         session.request.task.op->distributions.front(), 1 + number);
  KGEN_CHECK(fill_and_expect(session, 0, set, out.input));
  KGEN_TRY(out.input_hash, session.workplace.device->hash(set, BufferUse::input, hash_key(session)));
  return out;
}

/// The i-th set, the first being that of the checks before.
Result<FilledSet> fill_set(Session& session, int i) {
  KGEN_TRY(const int set, i == 0 ? set_of(session, 0) : new_set(session, session.task_case()));
  return fill_anew(session, set, i);
}

}  // namespace

Result<std::vector<FilledSet>> fill_sets(Session& session, int most) {
  KGEN_TRY(const int count, count_sets(session));
  std::vector<FilledSet> out;
  for (int i = 0; i < std::min(count, most); ++i) {
    KGEN_TRY(FilledSet filled, fill_set(session, i));
    out.push_back(filled);
  }
  return out;
}

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
  block.graph = may_graph && median_interval(*times).median_us < kGraphBelowUs;
  if (!block.graph) return true;
  auto again = time(block);
  if (!again && !stopped_) return tl::unexpected(again.error());
  return !stopped_;
}

Result<std::vector<double>> TimedCandidate::time(const run::TimeBlock& block) {
  for (const int set : block.order) KGEN_CHECK(session_.workplace.device->prepare(set, kNanPoison));
  auto times = session_.bench.runner->time_block(session_.task_case().sequence, block);
  if (!times) {
    KGEN_TRY([[maybe_unused]] const bool never,
             stop_at_failure(session_, times.error(), "while being timed"));
    add_state_check(session_, core::Check::State::failed, "timed_launches", session_.evaluation.message);
    stopped_ = true;
    return fail(ErrorKind::internal, "the candidate stopped while being timed");
  }
  for (const int number : block.order) {
    const auto set = std::find_if(sets_.begin(), sets_.end(),
                                  [&](const TimedSet& timed) { return timed.filled.set == number; });
    KGEN_TRY(const bool right, outputs_are_right(*set));
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
  if (!bits_are_fixed(session_))
    return outputs_in_tolerance(session_, session_.task_case(), number, set.filled.input);
  KGEN_TRY(const U64 results, hash_results(session_, number));
  if (!set.fresh) return results == set.output_hash;
  KGEN_TRY(const bool right, outputs_in_tolerance(session_, session_.task_case(), number, set.filled.input));
  session_.workplace.device->drop_expected(number);
  set.output_hash = results;
  set.fresh = false;
  return right;
}

Status TimedCandidate::refresh(double budget_ms) {
  if (refresh_ms_ + fill_ms_ > budget_ms) return {};
  KGEN_TRY(const I64 available, session_.workplace.device->free_bytes());
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
  if (refreshed_ > 0) detail += "; values made anew " + std::to_string(refreshed_) + " times between blocks";
  add_state_check(session_, core::Check::State::passed, "timed_launches", detail);
  KGEN_TRY(const bool read, check_globals(session_));
  return read && conclude(session_);
}

}  // namespace kgen::judge
