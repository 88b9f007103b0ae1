#include "harness/judge/timed_candidate.hpp"

#include <algorithm>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/median.hpp"
#include "harness/judge/set_outputs.hpp"
#include "harness/judge/timing.hpp"

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

/// The i-th set, the first being that of the checks before.
Result<FilledSet> fill_set(Session& session, int i) {
  const ShapeCase& shape = session.task_case();
  FilledSet out;
  if (i == 0) {
    KGEN_TRY(out.set, set_of(session, 0));
  } else {
    KGEN_TRY(out.set, new_set(session, shape));
  }
  out.input =
      input_case(session.request.seed, shape.task, session.request.task.op->distributions.front(), 1 + i);
  KGEN_CHECK(fill_and_expect(session, 0, out.set, out.input));
  KGEN_TRY(out.input_hash, session.workplace.device->hash(out.set, BufferUse::input, hash_key(session)));
  return out;
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

Result<bool> TimedCandidate::verify_sets() {
  KGEN_TRY(const int count, count_sets(session_));
  for (int i = 0; i < count; ++i) {
    KGEN_TRY(const FilledSet filled, fill_set(session_, i));
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
  sets_.push_back(filled.set);
  inputs_.push_back(filled.input);
  input_hashes_.push_back(filled.input_hash);
  output_hashes_.push_back(results);
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
  for (const int set : block.order) {
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

Result<bool> TimedCandidate::outputs_are_right(int set) {
  const auto place = static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), set) - sets_.begin());
  if (bits_are_fixed(session_)) {
    KGEN_TRY(const U64 results, hash_results(session_, set));
    return results == output_hashes_[place];
  }
  return outputs_in_tolerance(session_, session_.task_case(), set, inputs_[place]);
}

Result<bool> TimedCandidate::check_afterwards() {
  ExecutionDevice& device = *session_.workplace.device;
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    KGEN_TRY(const auto breach, device.guard_breach(sets_[i]));
    if (breach) {
      return stop(core::Verdict::out_of_bounds, "a timed launch wrote outside " + breach->buffer);
    }
    KGEN_TRY(const U64 inputs, device.hash(sets_[i], BufferUse::input, hash_key(session_)));
    if (inputs != input_hashes_[i]) {
      return stop(core::Verdict::input_modified, "a timed launch changed an input");
    }
  }
  add_state_check(session_, core::Check::State::passed, "timed_launches",
                  std::to_string(checked_) + " launches, outputs compared after each block");
  KGEN_TRY(const bool read, check_globals(session_));
  return read && conclude(session_);
}

}  // namespace kgen::judge
