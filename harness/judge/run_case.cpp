#include "harness/judge/run_case.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/chosen_cases.hpp"
#include "harness/judge/mismatch_report.hpp"
#include "harness/judge/python_oracle.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/set_outputs.hpp"
#include "util/clock.hpp"

namespace kgen::judge {
namespace {

/// How many times a launch's limit one with more than 2^31 elements may take.
constexpr std::size_t kLargeLimits = 4;

BufferUse use_of(core::Role role) {
  switch (role) {
    case core::Role::input:
      return BufferUse::input;
    case core::Role::output:
      return BufferUse::output;
    default:
      return BufferUse::inout;
  }
}

const char* check_name(const ShapeCase& shape) {
  if (shape.task_shape) return "task_shape";
  if (shape.large) return "large";
  return shape.made.empty() ? "values" : "made_shape";
}

core::Check check_of(const ShapeCase& shape, const InputCase& input, const char* name) {
  core::Check check;
  check.name = name;
  check.dims = shape.task.dims;
  check.attributes = shape.task.attributes;
  check.distribution = input.distribution->name;
  check.seed = input.seed;
  return check;
}

/// A text about a shape, with how many multiprocessors the plan was told of where they are not the device's
/// own (prepare.cpp).
std::string add_num_sms(const ShapeCase& shape, std::string text) {
  if (shape.num_sms == 0) return text;
  return "with num_sms = " + std::to_string(shape.num_sms) + (text.empty() ? "" : ": ") + text;
}

void add_failure(Session& session, core::Check check, std::string detail) {
  check.state = core::Check::State::failed;
  check.detail = std::move(detail);
  session.evaluation.checks.push_back(std::move(check));
}

/// Prepares the set and launches; false where the process ended or the driver refused.
Result<bool> execute(Session& session, const ShapeCase& shape, int set, const InputCase& input,
                     unsigned char poison) {
  KGEN_CHECK(session.workplace.device->prepare(set, poison));
  const util::Stopwatch watch;
  const auto launched =
      session.bench.runner->launch(set, shape.sequence, session.launch_limit(shape.large ? kLargeLimits : 1));
  session.add_time("checks/launches", watch.elapsed_ms());
  ++session.bench.executions;
  if (!launched) {
    add_failure(session, check_of(shape, input, "launch"), launched.error().message);
    return stop_at_failure(session, launched.error(), add_num_sms(shape, shape_text(session, shape.task)));
  }
  if (session.bench.globals_seen_after_launch && !session.is_emulated()) return true;
  session.bench.globals_seen_after_launch = true;
  return check_globals(session);
}

Status check_guards(Session& session, const ShapeCase& shape, int set, const InputCase& input) {
  KGEN_TRY(const auto breach, session.workplace.device->guard_breach(set));
  if (!breach) return {};
  add_failure(session, check_of(shape, input, "guards"),
              "wrote " + std::to_string(breach->distance) + " bytes " +
                  (breach->before ? "before the start of " : "behind the end of ") + breach->buffer);
  return {};
}

/// Inputs against their hash before the execution.
Status check_inputs(Session& session, const ShapeCase& shape, int set, const InputCase& input, U64 before) {
  KGEN_TRY(const U64 after, session.workplace.device->hash(set, BufferUse::input, input.seed));
  if (after != before) add_failure(session, check_of(shape, input, "inputs"), "an input was changed");
  return {};
}

Result<core::Check> compare_values(Session& session, const ShapeCase& shape, int set, const InputCase& input,
                                   unsigned char poison) {
  ExecutionDevice& device = *session.workplace.device;
  core::Check check = check_of(shape, input, check_name(shape));
  for (const auto& output : shape.tensors) {
    if (output.role == core::Role::input) continue;
    KGEN_TRY(const auto params, tolerance_params(shape.task, output, *input.distribution));
    KGEN_TRY(const auto count, device.compare(set, output.name, params));
    check.worst_ratio = std::max(check.worst_ratio, count.worst_ratio);
    if (count.wrong == 0 || check.mismatch) continue;
    KGEN_TRY(check.mismatch, read_mismatch(device, set, shape, output, params, count, poison));
    check.mismatch->pattern = add_num_sms(shape, std::move(check.mismatch->pattern));
    check.state = core::Check::State::failed;
    check.detail = std::to_string(count.wrong) + " of " + std::to_string(output.elements) + " elements of " +
                   output.name + " are wrong" +
                   (check.mismatch->pattern.empty() ? "" : ": " + check.mismatch->pattern);
  }
  return check;
}

/// The op's reference.cu for a task, made once.
Result<const OracleProgram*> oracle_of(Session& session, const core::Task& task) {
  OracleCache& cache = session.workplace.oracles ? *session.workplace.oracles : session.bench.oracles;
  const std::string key = task_key(task);
  const auto found = cache.programs.find(key);
  if (found != cache.programs.end()) return &found->second;
  if (cache.programs.size() >= 256) cache.programs.clear();
  KGEN_TRY(auto program, oracle_program(task, session.workplace.facts, session.workplace.compile_all));
  return &(cache.programs[key] = std::move(program));
}

/// A reference of the user's that fails is the user's to mend; one of kgen's own is a defect of kgen's.
Error oracle_failure(const core::Task& task, bool is_own, Error error) {
  if (is_own || error.kind != ErrorKind::internal) return error;
  return {ErrorKind::bad_input, task.op->name + "/reference.cu: " + error.message,
          "`kgen ops check` tries the specification by itself"};
}

/// What the op's reference.py expects, on the device where both can, else through the host.
Status expect_by_python(Session& session, const ShapeCase& shape, int set, const InputCase& input) {
  constexpr std::chrono::milliseconds kLimit{60'000};
  const util::Stopwatch watch;
  ExecutionDevice& device = *session.workplace.device;
  KGEN_TRY(PythonOracle* const oracle, python_oracle_of(session.workplace.python_oracles, *shape.task.op));
  if (device.shares_with_oracles() && oracle->has_device()) {
    KGEN_CHECK(oracle->expect_on(device, set, shape.task, shape.tensors, input, kNanPoison, kLimit));
  } else {
    KGEN_TRY(auto expected, oracle->expect(shape.task, shape.tensors, input, kNanPoison, kLimit));
    KGEN_CHECK(device.set_expected(set, std::move(expected)));
  }
  const std::string place = oracle->place().substr(0, oracle->place().find(" ("));
  session.add_time("checks/reference.py on " + place, watch.elapsed_ms());
  return {};
}

/// What is expected of a set, on the device: by the vendor's library where the op is one of kgen's own (what
/// a user's [gemm] says is not proven), else by its reference.cu.
Status expect_on_device(Session& session, const ShapeCase& shape, int set, bool is_own) {
  ExecutionDevice& device = *session.workplace.device;
  bool by_library = false;
  if (is_own) {
    KGEN_TRY(by_library, expect_by_library(device, set, shape.task));
  }
  if (by_library) return {};
  KGEN_TRY(const OracleProgram* const oracle, oracle_of(session, shape.task));
  const Status computed = device.compute_expected(set, *oracle);
  if (computed) return {};
  return tl::unexpected(oracle_failure(shape.task, is_own, computed.error()));
}

/// A second execution on the same inputs, over another poison: what it leaves unwritten shows even where a
/// NaN is expected. Its bits are those of the first where the op requires determinism.
Result<bool> check_repeat(Session& session, const ShapeCase& shape, int set, const InputCase& input,
                          U64 inputs) {
  KGEN_TRY(const U64 first, hash_results(session, set));
  const unsigned char poison = finite_poison(input.seed);
  KGEN_TRY(const bool went, execute(session, shape, set, input, poison));
  if (!went) return false;
  KGEN_CHECK(check_guards(session, shape, set, input));
  KGEN_CHECK(check_inputs(session, shape, set, input, inputs));
  KGEN_TRY(const U64 second, hash_results(session, set));
  if (first == second) return true;
  KGEN_TRY(core::Check values, compare_values(session, shape, set, input, poison));
  if (values.state == core::Check::State::failed) {
    values.detail += " (in a second execution on the same inputs)";
    session.evaluation.checks.push_back(std::move(values));
  } else if (bits_are_fixed(session)) {
    add_failure(session, check_of(shape, input, "deterministic"),
                "two executions on the same inputs gave different bits");
  }
  return true;
}

/// Whether one of the shape's expected values is a NaN: one that was never written passes for it.
Result<bool> expects_nan(Session& session, const ShapeCase& shape, int set) {
  for (const auto& output : shape.tensors) {
    if (output.role == core::Role::input) continue;
    KGEN_TRY(const auto expected,
             session.workplace.device->read_expected(set, output.name, 0, output.elements));
    if (std::ranges::any_of(expected.values, [](double value) { return std::isnan(value); })) return true;
  }
  return false;
}

/// Whether inputs are run a second time. The emulator repeats what shows most: the first distribution, at
/// small shapes one that is drawn, and those whose results are NaN somewhere; nothing at shapes whose threads
/// are very many, nor at those aside.
Result<bool> repeats(Session& session, std::size_t index, int set, const InputCase& input) {
  if (!session.is_emulated()) return true;
  const ShapeCase& shape = session.shapes[index];
  if (is_shut_out(shape) || shape.is_aside) return false;
  const auto& all = shape.task.op->distributions;
  const std::size_t drawn = below(mix64(session.request.seed + 131 * index), all.size());
  const bool is_drawn = input.distribution == &all[drawn] && is_run_whole(session, shape);
  if (input.distribution == &all.front() || is_drawn || has_special_values(*input.distribution)) return true;
  return expects_nan(session, shape, set);
}

}  // namespace

std::vector<BufferSpec> buffers_of(const ShapeCase& shape) {
  std::vector<BufferSpec> out;
  for (const auto& tensor : shape.tensors) {
    out.push_back(
        {tensor.name, use_of(tensor.role), static_cast<int>(tensor.dtype), tensor.elements, tensor.bytes});
  }
  for (const auto& workspace : shape.resolved.workspace) {
    out.push_back({workspace.name, BufferUse::workspace, kU8, workspace.bytes, workspace.bytes});
  }
  return out;
}

std::int64_t threads_of(const ShapeCase& shape) {
  double threads = 0;  // a grid's threads may be more than 2^63
  for (const auto& step : shape.sequence.steps) {
    const auto* const launch = std::get_if<run::LaunchKernel>(&step);
    if (launch != nullptr) threads += static_cast<double>(core::threads_of(launch->grid, launch->block));
  }
  return static_cast<std::int64_t>(std::min(threads, 1e18));
}

std::int64_t tensor_bytes(const ShapeCase& shape) {
  std::int64_t bytes = 0;
  for (const auto& tensor : shape.tensors) bytes += tensor.bytes;
  return bytes;
}

std::int64_t workspace_bytes(const ShapeCase& shape) {
  std::int64_t bytes = 0;
  for (const auto& workspace : shape.resolved.workspace) bytes += workspace.bytes;
  return bytes;
}

std::int64_t buffer_bytes(const ShapeCase& shape) {
  return tensor_bytes(shape) + workspace_bytes(shape);
}

Result<int> new_set(Session& session, const ShapeCase& shape) {
  std::vector<BufferSpec> buffers = buffers_of(shape);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const bool is_read = buffers[i].use == BufferUse::input || buffers[i].use == BufferUse::inout;
    const U64 draw = mix64(session.request.seed + 100 * ++session.bench.sets_made + i);
    if (!is_read) buffers[i].guard = static_cast<unsigned char>(1 + below(draw, 254));
    buffers[i].guard_before += 256 * static_cast<I64>(below(mix64(draw), 1024));
  }
  return session.workplace.device->make_set(buffers);
}

Result<int> set_of(Session& session, std::size_t shape) {
  const auto found = session.bench.sets.find(shape);
  if (found != session.bench.sets.end()) return found->second;
  KGEN_TRY(const int set, new_set(session, session.shapes[shape]));
  session.bench.sets[shape] = set;
  return set;
}

Status fill_and_expect(Session& session, std::size_t index, int set, const InputCase& input) {
  const util::Stopwatch watch;
  const ShapeCase& shape = session.shapes[index];
  ExecutionDevice& device = *session.workplace.device;
  KGEN_CHECK(fill_inputs(device, set, shape.tensors, input));
  const auto reference = session.workplace.references.find(shape.task.op->name);
  const bool is_own =
      reference != session.workplace.references.end() && reference->second == shape.task.op->hash;
  const bool quick = small_enough_for_host(shape.task) || device.prefers_host_reference();
  if (has_python_oracle(*shape.task.op)) {
    KGEN_CHECK(expect_by_python(session, shape, set, input));
  } else if ((is_own && quick) || !device.runs_oracles()) {
    KGEN_TRY(auto expected, expected_on_host(shape.task, shape.tensors, input));
    KGEN_CHECK(device.set_expected(set, std::move(expected)));
  } else {
    KGEN_CHECK(expect_on_device(session, shape, set, is_own));
  }
  session.add_time("checks/inputs and expected values", watch.elapsed_ms());
  return {};
}

Result<bool> check_execution(Session& session, std::size_t index, int set, const InputCase& input) {
  const ShapeCase& shape = session.shapes[index];
  KGEN_TRY(const U64 inputs, session.workplace.device->hash(set, BufferUse::input, input.seed));
  KGEN_TRY(const bool went, execute(session, shape, set, input, kNanPoison));
  if (!went) return false;
  const util::Stopwatch watch;
  KGEN_CHECK(check_guards(session, shape, set, input));
  KGEN_CHECK(check_inputs(session, shape, set, input, inputs));
  KGEN_TRY(core::Check values, compare_values(session, shape, set, input, kNanPoison));
  session.evaluation.checks.push_back(std::move(values));
  session.bench.shapes_run.insert(index);
  session.add_time("checks/comparison", watch.elapsed_ms());
  KGEN_TRY(const bool is_repeated, repeats(session, index, set, input));
  if (!is_repeated) return true;
  return check_repeat(session, shape, set, input, inputs);
}

}  // namespace kgen::judge
