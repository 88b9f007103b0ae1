#include "harness/judge/soak.hpp"

#include <algorithm>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/chosen_cases.hpp"
#include "harness/judge/filled_sets.hpp"
#include "harness/judge/large_shape.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/judge/set_outputs.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

using core::Check;
using core::Verdict;

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr std::size_t kShapes = 2;
constexpr int kSetsAShape = 4;

/// Inputs of a set and what its outputs were when they were checked.
struct SoakCase {
  InputCase input;
  U64 outputs = 0, inputs = 0;
};
/// One set of buffers; its inputs change in place from time to time.
struct SoakSet {
  int set = 0;
  std::vector<SoakCase> cases;
  std::size_t current = 0;
  const SoakCase& now() const { return cases[current]; }
};
struct SoakShape {
  std::size_t shape = 0;
  std::vector<SoakSet> sets;
};

/// Small shapes of the task's program, another choice for each seed; the task's own where there are none.
std::vector<std::size_t> soak_shapes(const Session& session) {
  std::vector<std::size_t> small;
  for (std::size_t i = 1; i < session.shapes.size(); ++i) {
    const ShapeCase& shape = session.shapes[i];
    const bool runs = !shape.sequence.steps.empty() && shape.program == session.task_case().program;
    const bool is_slow = shape.may_be_slow || session.bench.given_up.contains(i);
    if (runs && !is_slow && !shape.is_aside && tensor_bytes(shape) <= kMostBytes &&
        is_run_whole(session, shape))
      small.push_back(i);
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < kShapes && !small.empty(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(below(mix64(session.request.seed + 91 + i), small.size()));
    chosen.push_back(small[static_cast<std::size_t>(place)]);
    small.erase(small.begin() + place);
  }
  if (chosen.empty()) chosen.push_back(0);
  return chosen;
}

/// Sets of a shape that memory has room for, twice over.
Result<int> sets_with_room(const Session& session, const ShapeCase& shape) {
  KGEN_TRY(const I64 for_sets, bytes_for_sets(session, shape.task));
  const I64 bytes = std::max<I64>(1, bytes_with_expected(shape));
  return static_cast<int>(std::clamp<I64>(for_sets / 2 / bytes, 0, kSetsAShape));
}

/// Fills and checks a set as any other; false where the verdict is found.
Result<bool> add_case(Session& session, std::size_t shape, SoakSet& own, int number) {
  ExecutionDevice& device = *session.workplace.device;
  const core::Task& task = session.shapes[shape].task;
  const auto& all = task.op->distributions;
  SoakCase made;
  made.input = input_case(session.request.seed, task, all[static_cast<std::size_t>(number) % all.size()],
                          100 + number);
  KGEN_CHECK(fill_and_expect(session, shape, own.set, made.input));
  KGEN_TRY(made.inputs, device.hash(own.set, BufferUse::input, hash_key(session)));
  KGEN_TRY(const bool went, check_execution(session, shape, own.set, made.input));
  if (!went) return false;
  KGEN_TRY(made.outputs, hash_results(session, own.set));
  own.current = own.cases.size();
  own.cases.push_back(made);
  return !any_failed(session) || conclude(session);
}

/// Makes a set with two cases; false where the verdict is found.
Result<bool> add_set(Session& session, SoakShape& soak, int number) {
  SoakSet own;
  KGEN_TRY(own.set, new_set(session, session.shapes[soak.shape]));
  for (int i = 0; i < 2; ++i) {
    KGEN_TRY(const bool right, add_case(session, soak.shape, own, 2 * number + i));
    if (!right) return false;
  }
  soak.sets.push_back(std::move(own));
  return true;
}

/// Whether an execution changes its own inputs: then only a restored set can be run again.
bool works_in_place(const ShapeCase& shape) {
  return std::any_of(shape.tensors.begin(), shape.tensors.end(),
                     [](const auto& tensor) { return tensor.role == core::Role::inout; });
}

/// Order of one burst: each set once, or (`may_repeat`) one of them again and again.
std::vector<const SoakSet*> burst_of(const SoakShape& soak, bool may_repeat, U64 draw) {
  std::vector<const SoakSet*> order;
  for (const SoakSet& set : soak.sets) order.push_back(&set);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(mix64(draw + i), i)]);
  if (may_repeat && below(mix64(draw), 4) == 0) std::fill(order.begin(), order.end(), order.front());
  return order;
}

/// The run of launches and what came of it.
struct Soak {
  Session& session;
  std::vector<SoakShape> shapes;
  int launches = 0;

  /// One burst of launches; false where the verdict is found.
  Result<bool> burst(SoakShape& soak, U64 draw);
  /// Two launches between which one set's inputs take the place of another's; false where the verdict is
  /// found.
  Result<bool> change_between(SoakShape& soak, U64 draw);
  /// The inputs of the set's case, and what is expected of them where that is not known by its bits.
  Status refill(const SoakShape& soak, const SoakSet& set);
  /// Other inputs in the same buffers.
  Status change_inputs(SoakShape& soak);
  Result<bool> look_at(const SoakShape& soak, const SoakSet& set);
  Result<bool> check_surroundings();
  bool stop(Verdict verdict, const ShapeCase& shape, const std::string& what);
};

bool Soak::stop(Verdict verdict, const ShapeCase& shape, const std::string& what) {
  const std::string text =
      shape_text(session, shape.task) + ": after " + std::to_string(launches) + " launches of a soak " + what;
  add_state_check(session, Check::State::failed, "soak", text);
  return session.stop(verdict, "soak", text);
}

Status Soak::refill(const SoakShape& soak, const SoakSet& set) {
  if (!bits_are_fixed(session)) return fill_and_expect(session, soak.shape, set.set, set.now().input);
  return fill_inputs(*session.workplace.device, set.set, session.shapes[soak.shape].tensors, set.now().input);
}

Status Soak::change_inputs(SoakShape& soak) {
  for (SoakSet& set : soak.sets) {
    set.current = (set.current + 1) % set.cases.size();
    KGEN_CHECK(refill(soak, set));
  }
  return {};
}

Result<bool> Soak::change_between(SoakShape& soak, U64 draw) {
  const ShapeCase& shape = session.shapes[soak.shape];
  const std::size_t to = below(mix64(draw + 3), soak.sets.size());
  const std::size_t from = (to + 1 + below(mix64(draw + 4), soak.sets.size() - 1)) % soak.sets.size();
  const SoakSet& own = soak.sets[to];
  run::ChangeOfInputs change{own.set, soak.sets[from].set, {}};
  for (const auto& tensor : shape.tensors) {
    if (tensor.role == core::Role::input) change.inputs.push_back(tensor.name);
  }
  KGEN_CHECK(session.workplace.device->prepare(own.set, finite_poison(draw)));
  const auto launched = session.bench.runner->launch_changed(change, shape.sequence, session.launch_limit(2));
  launches += 2;
  if (!launched)
    return stop_at_failure(session, launched.error(),
                           shape_text(session, shape.task) + ", inputs that change in place in a soak");
  const SoakCase& changed_to = soak.sets[from].now();
  // What was expected of the set is of the inputs it had; where bits are fixed, look_at needs none.
  if (!bits_are_fixed(session)) KGEN_CHECK(fill_and_expect(session, soak.shape, own.set, changed_to.input));
  KGEN_TRY(const bool right, look_at(soak, {own.set, {changed_to}, 0}));
  if (!right) return false;
  KGEN_CHECK(refill(soak, own));
  return true;
}

Result<bool> Soak::burst(SoakShape& soak, U64 draw) {
  const ShapeCase& shape = session.shapes[soak.shape];
  // Expected values are made anew only where bits may vary, and that takes its time.
  const U64 rarity = bits_are_fixed(session) ? 8 : 64;
  if (below(mix64(draw + 5), rarity) == 0 && soak.sets.size() > 1 && !works_in_place(shape))
    return change_between(soak, draw);
  if (below(mix64(draw + 6), rarity) == 0) KGEN_CHECK(change_inputs(soak));
  const auto order = burst_of(soak, !works_in_place(shape), draw);
  std::vector<int> sets;
  for (const SoakSet* set : order) sets.push_back(set->set);
  const run::Milliseconds limit = session.launch_limit(sets.size());
  const unsigned char poison = below(mix64(draw + 7), 2) == 0 ? kNanPoison : finite_poison(draw);
  for (const SoakSet& set : soak.sets) KGEN_CHECK(session.workplace.device->prepare(set.set, poison));
  const auto launched = session.bench.runner->launch_in_row(sets, shape.sequence, limit);
  launches += static_cast<int>(order.size());
  if (!launched)
    return stop_at_failure(
        session, launched.error(),
        shape_text(session, shape.task) + ", launch " + std::to_string(launches) + " of a soak");
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && order[i] == order[0]) break;  // one set only
    KGEN_TRY(const bool right, look_at(soak, *order[i]));
    if (!right) return false;
  }
  return true;
}

Result<bool> Soak::look_at(const SoakShape& soak, const SoakSet& set) {
  const ShapeCase& shape = session.shapes[soak.shape];
  bool same = false;
  if (bits_are_fixed(session)) {
    KGEN_TRY(const U64 now, hash_results(session, set.set));
    same = now == set.now().outputs;
    if (same) return true;
    KGEN_CHECK(fill_and_expect(session, soak.shape, set.set, set.now().input));
  }
  KGEN_TRY(const bool right, outputs_in_tolerance(session, shape, set.set, set.now().input));
  if (!right)
    return stop(Verdict::wrong_result, shape, "the result for inputs that it got right before is wrong");
  return !bits_are_fixed(session) ||
         stop(Verdict::nondeterministic, shape, "the same inputs gave other bits than before");
}

Result<bool> Soak::check_surroundings() {
  ExecutionDevice& device = *session.workplace.device;
  for (const SoakShape& soak : shapes) {
    const ShapeCase& shape = session.shapes[soak.shape];
    for (const SoakSet& set : soak.sets) {
      KGEN_TRY(const auto breach, device.guard_breach(set.set));
      if (breach)
        return stop(Verdict::out_of_bounds, shape, "bytes outside " + breach->buffer + " are changed");
      KGEN_TRY(const U64 inputs, device.hash(set.set, BufferUse::input, hash_key(session)));
      if (inputs != set.now().inputs) return stop(Verdict::input_modified, shape, "an input is changed");
    }
  }
  KGEN_TRY(const bool read, check_globals(session));
  return read && conclude(session);
}

}  // namespace

Result<bool> check_soak(Session& session) {
  KGEN_TRY(const bool loaded, load_program(session, session.task_case().program));
  if (!loaded) return false;
  Soak soak{session, {}};
  for (const std::size_t shape : soak_shapes(session)) {
    KGEN_TRY(const int sets, sets_with_room(session, session.shapes[shape]));
    if (sets == 0) continue;
    SoakShape& own = soak.shapes.emplace_back(SoakShape{shape, {}});
    for (int number = 0; number < sets; ++number) {
      KGEN_TRY(const bool right, add_set(session, own, number));
      if (!right) return false;
    }
  }
  if (soak.shapes.empty()) {
    add_state_check(session, Check::State::skipped, "soak",
                    "no memory for sets of its own beside the others");
    if (workspace_bytes(session.task_case()) > 0) add_flag(session, kWorkspaceFlag);
    return true;
  }
  const util::Stopwatch watch;
  const SoakLimits& limits = session.workplace.soak;
  for (U64 number = 0; soak.launches < limits.launches && watch.elapsed_ms() < limits.ms; ++number) {
    const U64 draw = mix64(session.request.seed + 1000 + number);
    KGEN_TRY(const bool right, soak.burst(soak.shapes[number % soak.shapes.size()], draw));
    if (!right) return false;
  }
  KGEN_TRY(const bool clean, soak.check_surroundings());
  if (clean) {
    add_state_check(session, Check::State::passed, "soak",
                    std::to_string(soak.launches) + " launches of " + std::to_string(soak.shapes.size()) +
                        " shapes, back to back");
  }
  return clean;
}

}  // namespace kgen::judge
