#include <algorithm>
#include <cmath>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/code_for_device.hpp"
#include "harness/judge/session.hpp"
#include "harness/judge/variant_stages.hpp"
#include "util/clock.hpp"

// The stages around the compiler: distinct programs, what they may not do, and the arguments of their
// launches.
namespace kgen::judge {
namespace {

using compile::CompileFailure;
using core::Verdict;

compile::CompileRequest compile_request(const Session& session, const ShapeCase& shape) {
  compile::CompileRequest request;
  request.source = session.request.source;
  request.macros = shape.resolved.macros;
  for (const auto& tensor : shape.tensors) {
    request.type_aliases.emplace_back(tensor.name, std::string(core::name_of(tensor.dtype)));
  }
  for (const auto& step : shape.resolved.steps) {
    const auto* launch = std::get_if<core::ResolvedLaunch>(&step);
    if (!launch) continue;
    const auto& known = request.kernels;
    if (std::find(known.begin(), known.end(), launch->kernel) == known.end()) {
      request.kernels.push_back(launch->kernel);
    }
  }
  ask_for(session.workplace.facts, request);
  request.standard = session.plan.compile.std;
  request.fast_math = session.plan.compile.fast_math;
  request.max_registers = session.plan.compile.max_registers;
  return request;
}

bool same_compile(const compile::CompileRequest& a, const compile::CompileRequest& b) {
  return a.macros == b.macros && a.type_aliases == b.type_aliases && a.kernels == b.kernels;
}

/// Gives a shape its program. One whose steps are all skipped (an empty tensor) needs none of its own. True:
/// the program is a new one.
bool assign_program(Session& session, ShapeCase& shape) {
  compile::CompileRequest request = compile_request(session, shape);
  const auto found = std::find_if(session.programs.begin(), session.programs.end(), [&](const Program& p) {
    return request.kernels.empty() || same_compile(p.request, request);
  });
  shape.program = static_cast<std::size_t>(found - session.programs.begin());
  if (found != session.programs.end()) return false;
  session.programs.push_back({std::move(request), {}});
  return true;
}

struct CompileFailureRow {
  CompileFailure failure;
  Verdict verdict;
  const char* kind;
};
constexpr CompileFailureRow kCompileFailures[] = {
    {CompileFailure::source_refused, Verdict::policy_violation, "source_refused"},
    {CompileFailure::compile_error, Verdict::compile_error, ""},
    {CompileFailure::kernel_missing, Verdict::plan_invalid, "kernel_missing"},
    {CompileFailure::kernel_ambiguous, Verdict::plan_invalid, "kernel_ambiguous"},
    {CompileFailure::unsupported_arch, Verdict::unsupported_arch, ""},
    {CompileFailure::timed_out, Verdict::compile_error, "timed_out"},
    {CompileFailure::crashed, Verdict::compile_error, "crashed"},
    {CompileFailure::out_of_memory, Verdict::compile_error, "out_of_memory"},
};

/// Device functions that would launch further kernels.
constexpr std::string_view kDeviceLaunch[] = {"cudaLaunchDevice", "cudaGetParameterBuffer", "cudaGraphLaunch",
                                              "cudaCDP2"};

Result<bool> stop_at_device_launch(Session& session, std::string_view name) {
  return session.stop(
      Verdict::policy_violation, "device_launch",
      "the kernel refers to " + std::string(name) +
          ": launching kernels from the device is not allowed; list them in the plan's launches");
}

/// The function of the device runtime that the linker missed (ptxas: "Unresolved extern function 'NAME'"), or
/// nothing: it is never linked in.
std::string_view missed_device_launch(const compile::CompileResult& result) {
  constexpr std::string_view kMissed = "Unresolved extern function '";
  const std::string_view log = result.log;
  for (std::size_t at = log.find(kMissed); at != std::string_view::npos; at = log.find(kMissed, at + 1)) {
    const std::string_view rest = log.substr(at + kMissed.size());
    const std::string_view name = rest.substr(0, rest.find('\''));
    for (const auto known : kDeviceLaunch) {
      if (name.find(known) != std::string_view::npos) return name;
    }
  }
  return {};
}

Result<bool> stop_at_failure(Session& session, const compile::CompileResult& result) {
  if (const auto name = missed_device_launch(result); !name.empty())
    return stop_at_device_launch(session, name);
  for (const auto& row : kCompileFailures) {
    if (row.failure == result.failure) return session.stop(row.verdict, row.kind, result.message);
  }
  return fail(ErrorKind::missing, "the candidate could not be compiled: " + result.message,
              "see `kgen doctor`");
}

std::map<std::string, run::CompiledKernel> kernels_by_name(const compile::CompileResult& result) {
  std::map<std::string, run::CompiledKernel> out;
  for (const auto& kernel : result.kernels) out[kernel.expression] = {kernel.lowered_name, kernel.parameters};
  return out;
}

core::PlanResult<void> bind_shape(const Session& session, ShapeCase& shape) {
  const auto kernels = kernels_by_name(session.programs[shape.program].result);
  KGEN_TRY(shape.sequence, run::build_sequence(shape.resolved, shape.task, kernels));
  shape.sequence.num_sms = shape.num_sms;
  return {};
}

/// Says for which shape a program was compiled that is not the task's: its defines may be what fails.
void name_shape(Session& session, std::size_t program) {
  const auto shape = std::ranges::find(session.shapes, program, &ShapeCase::program);
  if (program == session.task_case().program || shape == session.shapes.end()) return;
  session.evaluation.message += " (compiled for " + shape_text(session, shape->task) +
                                "; narrow `requires` where the file does not serve it)";
}

/// What the compiler found of a session's programs, the first so many.
Result<bool> conclude_compile(Session& session, std::size_t count) {
  session.evaluation.compile = compile::report_of(session.programs.front().result);
  for (std::size_t i = 0; i < count; ++i) {
    const compile::CompileResult& result = session.programs[i].result;
    if (result.ok) continue;
    session.evaluation.compile = compile::report_of(result);
    KGEN_TRY(const bool goes_on, stop_at_failure(session, result));
    name_shape(session, i);
    return goes_on;
  }
  return true;
}

/// Programs that are compiled before the time is looked at. A screen has fewer.
constexpr std::size_t kTogether = 12;

std::string too_long_text(const Session& session, std::size_t done) {
  return std::to_string(done) + " of " + std::to_string(session.programs.size()) +
         " programs took all the time that an evaluation has for compiling (" +
         std::to_string(std::llround(session.workplace.compile_limit_ms / 1000)) +
         " s): let fewer defines follow the shape, or make the file quicker to compile";
}

}  // namespace

Result<bool> compile_programs(Session& session) {
  for (ShapeCase& shape : session.shapes) assign_program(session, shape);
  const util::Stopwatch watch;
  auto& programs = session.programs;
  // At once where they are few. Else the first, the task's own, alone: most files that do not compile end
  // there.
  std::size_t done = 0, next = programs.size() > kTogether ? 1 : programs.size();
  while (true) {
    std::vector<compile::CompileRequest> requests;
    for (std::size_t i = done; i < next; ++i) requests.push_back(programs[i].request);
    auto results = session.workplace.compile_all(requests);
    for (auto& result : results) programs[done++].result = std::move(result);
    KGEN_TRY(const bool goes_on, conclude_compile(session, done));
    if (!goes_on || done == programs.size()) return goes_on;
    if (watch.elapsed_ms() > session.workplace.compile_limit_ms)
      return session.stop(Verdict::compile_error, "timed_out", too_long_text(session, done));
    session.on_stage({std::to_string(done) + " of " + std::to_string(programs.size()) + " programs compiled",
                      watch.elapsed_ms()});
    next = std::min(programs.size(), done + kTogether);
  }
}

std::vector<Result<bool>> compile_together(const Workplace& workplace,
                                           const std::vector<Session*>& sessions) {
  std::vector<compile::CompileRequest> requests;
  for (Session* const session : sessions) {
    for (ShapeCase& shape : session->shapes) assign_program(*session, shape);
    for (const Program& program : session->programs) requests.push_back(program.request);
  }
  auto results = workplace.compile_all(requests);
  std::vector<Result<bool>> compiled;
  auto next = results.begin();
  for (Session* const session : sessions) {
    for (Program& program : session->programs) program.result = std::move(*next++);
    compiled.push_back(conclude_compile(*session, session->programs.size()));
  }
  return compiled;
}

Result<bool> check_policy(Session& session) {
  for (const Program& program : session.programs) {
    if (program.result.counts_launches) {
      return session.stop(
          Verdict::policy_violation, "launch_counter",
          "the kernel reads %gridid, which tells one launch from another: a result may depend on "
          "the inputs alone");
    }
    for (const auto name : kDeviceLaunch) {
      if (program.result.cubin.find(name) == std::string::npos) continue;
      return stop_at_device_launch(session, name);
    }
  }
  return true;
}

Result<bool> bind_launches(Session& session) {
  for (ShapeCase& shape : session.shapes) {
    if (const auto bound = bind_shape(session, shape); !bound) return session.stop(bound.error());
  }
  for (auto& facts : session.evaluation.compile.kernels) {
    for (const auto& step : session.task_case().resolved.steps) {
      const auto* launch = std::get_if<core::ResolvedLaunch>(&step);
      if (!launch || launch->kernel != facts.name) continue;
      facts.dynamic_shared_bytes = std::max(facts.dynamic_shared_bytes, launch->dynamic_shared_bytes);
      facts.threads_per_block = static_cast<int>(launch->block[0] * launch->block[1] * launch->block[2]);
    }
  }
  return true;
}

Result<bool> compile_late_shape(Session& session, std::size_t index) {
  ShapeCase& shape = session.shapes[index];
  if (assign_program(session, shape)) {
    Program& program = session.programs.back();
    program.result = std::move(session.workplace.compile_all({program.request}).front());
    if (!program.result.ok) return stop_at_failure(session, program.result);
    KGEN_TRY(const bool allowed, check_policy(session));
    if (!allowed) return false;
  }
  if (const auto bound = bind_shape(session, shape); !bound) return session.stop(bound.error());
  return true;
}

}  // namespace kgen::judge
