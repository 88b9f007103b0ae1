#include "harness/judge/check_sanitizers.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/plan_branches.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/sanitize/finding.hpp"

namespace kgen::judge {
namespace {

using core::Check;

constexpr std::size_t kMostShapes = 6, kMostPrograms = 12;
/// Of the tensors of a shape that no program needs, and with its workspaces.
constexpr std::int64_t kMostTensorBytes = 1 << 20, kMostBytes = 64 << 20;
/// Of the smallest shapes of all programs together.
constexpr std::int64_t kMostBytesAlone = 256 << 20;
constexpr const char* kUncheckedFlag = "async_barrier_unchecked";
constexpr const char* kUnfinishedFlag = "sanitizer_unfinished";
constexpr const char* kUnsanitizedFlag = "program_unsanitized";

/// Whether the tools may be given it: it launches something, and is not aside.
bool is_for_tools(const ShapeCase& shape) {
  return !shape.is_aside &&
         std::any_of(shape.sequence.steps.begin(), shape.sequence.steps.end(),
                     [](const auto& step) { return std::holds_alternative<run::LaunchKernel>(step); });
}

/// What tells programs apart that matter: kernels, and which way the plan's branches go. Others differ by
/// numbers alone.
std::string branches_text(const PlanBranches& plan, const ShapeCase& shape) {
  std::string out;
  for (const auto& [name, taken] : plan.branches_of(shape.resolved)) {
    if (taken) out += name + ";";
  }
  return out;
}

/// Inputs of a shape as the first distribution has them; the rest stays uninitialised.
std::vector<sanitize::JobBuffer> job_buffers(const Session& session, const ShapeCase& shape) {
  const auto& distribution = session.request.task.op->distributions.front();
  const auto seed = input_case(session.request.seed, shape.task, distribution, 0).seed;
  std::vector<sanitize::JobBuffer> out;
  for (const BufferSpec& buffer : buffers_of(shape)) out.push_back({buffer.name, buffer.bytes, ""});
  for (std::size_t i = 0; i < shape.tensors.size(); ++i) {  // tensors come first, in the op's order
    const auto& tensor = shape.tensors[i];
    if (tensor.role == core::Role::output) continue;
    out[i].data.resize(static_cast<std::size_t>(tensor.bytes));
    fill_on_host(reinterpret_cast<std::byte*>(out[i].data.data()), fill_params(distribution, tensor, i, seed),
                 tensor.elements);
  }
  return out;
}

/// Small whatever the plan does there: what the tools see some of beside the smallest of each program.
bool is_small(const ShapeCase& shape) {
  return is_for_tools(shape) && tensor_bytes(shape) <= kMostTensorBytes;
}

/// Whether the plan's grids and workspaces take the tools too long.
bool is_crowded(const ShapeCase& shape) {
  return threads_of(shape) > kMostSanitizedThreads || buffer_bytes(shape) > kMostBytes;
}

/// Programs of the chosen shapes, compiled again with line numbers. Where one does not compile, `why` says
/// so.
struct Built {
  sanitize::Job job;
  sanitize::LaunchedKernels kernels;
  std::string why;
};

Built build_job(Session& session, const std::vector<std::size_t>& chosen) {
  Built out;
  out.job.device = session.workplace.facts.index;
  std::vector<std::size_t> programs;
  for (const std::size_t index : chosen) {
    const ShapeCase& shape = session.shapes[index];
    auto place = std::find(programs.begin(), programs.end(), shape.program);
    if (place == programs.end()) place = programs.insert(programs.end(), shape.program);
    out.job.cases.push_back({core::describe_dims(shape.task),
                             static_cast<std::size_t>(place - programs.begin()), shape.sequence,
                             job_buffers(session, shape)});
  }
  std::vector<compile::CompileRequest> requests;
  for (const std::size_t program : programs) {
    auto& request = requests.emplace_back(session.programs[program].request);
    request.lineinfo = request.want_ptx = true;
  }
  const auto results = session.workplace.compile_all(requests);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].ok) out.why = "the kernel does not compile with line numbers: " + results[i].message;
    out.job.programs.push_back({results[i].cubin, kernels_of(session, programs[i])});
    std::vector<std::string> launched;
    for (const auto& kernel : out.job.programs.back().kernels) launched.push_back(kernel.lowered_name);
    sanitize::add_launched(out.kernels, results[i].ptx, launched);
  }
  return out;
}

/// Small shapes, by index and without these, at which the candidate starts too many threads, or whose
/// workspaces are large.
std::vector<std::size_t> crowded_shapes(const Session& session, const std::vector<std::size_t>& chosen) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < session.shapes.size(); ++i) {
    const bool is_seen = std::find(chosen.begin(), chosen.end(), i) != chosen.end();
    if (!is_seen && is_small(session.shapes[i]) && is_crowded(session.shapes[i])) out.push_back(i);
  }
  return out;
}

/// A candidate chooses its grids and workspaces: what they keep from the tools is said, and flagged where it
/// is much or little is left.
void say_crowded(Session& session, const std::vector<std::size_t>& chosen) {
  const auto crowded = crowded_shapes(session, chosen);
  if (crowded.empty()) return;
  std::string names;
  for (const std::size_t shape : crowded)
    names += (names.empty() ? "" : "; ") + core::describe_dims(session.shapes[shape].task);
  add_state_check(session, Check::State::skipped, "sanitized_threads",
                  "the sanitizers did not see small shapes at which more than " +
                      std::to_string(kMostSanitizedThreads) +
                      " threads are started, or workspaces take more than " +
                      std::to_string(kMostBytes >> 20) + " MiB: " + names);
  if (crowded.size() > kMostCrowded || chosen.size() < kMostShapes) add_flag(session, kUnsanitizedFlag);
}

void skip_all(Session& session, const std::string& why) {
  for (const char* tool : sanitize::kTools) add_state_check(session, Check::State::skipped, tool, why);
}

}  // namespace

std::vector<std::size_t> sanitizer_shapes(const Session& session) {
  const auto bytes_of = [&](std::size_t i) { return buffer_bytes(session.shapes[i]); };
  std::vector<std::size_t> sorted;
  for (std::size_t i = 0; i < session.shapes.size(); ++i) {
    if (is_for_tools(session.shapes[i]) && bytes_of(i) <= kMostBytesAlone) sorted.push_back(i);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return bytes_of(a) < bytes_of(b); });
  // The smallest of each program, that of the task's own shape first, then those that take other branches, as
  // long as they are not much together.
  std::vector<std::size_t> chosen, firsts;
  std::set<std::size_t> programs;
  std::set<std::string> branches;
  const PlanBranches plan(session.plan);
  const auto rank = [&](std::size_t shape) {
    if (session.shapes[shape].program == session.task_case().program) return 0;
    return branches.insert(branches_text(plan, session.shapes[shape])).second ? 1 : 2;
  };
  std::map<int, std::vector<std::size_t>> ranked;
  for (const std::size_t shape : sorted) {
    if (programs.insert(session.shapes[shape].program).second) ranked[rank(shape)].push_back(shape);
  }
  for (const auto& [_, shapes] : ranked) firsts.insert(firsts.end(), shapes.begin(), shapes.end());
  std::int64_t bytes = 0;
  for (const std::size_t shape : firsts) {
    if (chosen.size() >= kMostPrograms || bytes + bytes_of(shape) > kMostBytesAlone) continue;
    bytes += bytes_of(shape);
    chosen.push_back(shape);
  }
  // The rest evenly from small to large, of small ones.
  std::erase_if(sorted, [&](std::size_t shape) {
    return !is_small(session.shapes[shape]) || is_crowded(session.shapes[shape]);
  });
  const std::size_t more = kMostShapes - std::min(kMostShapes, chosen.size());
  for (std::size_t i = 0; i < more && !sorted.empty(); ++i) {
    const std::size_t shape = sorted[(sorted.size() - 1) * (i + 1) / more];
    if (std::find(chosen.begin(), chosen.end(), shape) == chosen.end()) chosen.push_back(shape);
  }
  return chosen;
}

std::string unsanitized_programs(const Session& session, const std::vector<std::size_t>& chosen) {
  std::set<std::string> seen;
  const PlanBranches plan(session.plan);
  bool task_seen = !is_for_tools(session.task_case());
  for (const std::size_t shape : chosen) {
    seen.insert(branches_text(plan, session.shapes[shape]));
    task_seen = task_seen || session.shapes[shape].program == session.task_case().program;
  }
  std::string out = task_seen ? "" : core::describe_dims(session.task_case().task);
  if (!task_seen) seen.insert(branches_text(plan, session.task_case()));
  for (const ShapeCase& shape : session.shapes) {
    if (is_for_tools(shape) && seen.insert(branches_text(plan, shape)).second)
      out += (out.empty() ? "" : "; ") + core::describe_dims(shape.task);
  }
  return out;
}

Result<bool> check_sanitizers(Session& session) {
  if (!session.workplace.run_sanitizers) {
    skip_all(session, session.workplace.no_sanitizers);
    return true;
  }
  const auto chosen = sanitizer_shapes(session);
  Built built = chosen.empty() ? Built{{}, {}, "no shape that it serves is as small as 256 MiB"}
                               : build_job(session, chosen);
  if (!built.why.empty()) {
    skip_all(session, built.why);
    add_flag(session, kUnsanitizedFlag);
    return true;
  }
  if (const std::string left_out = unsanitized_programs(session, chosen); !left_out.empty()) {
    add_state_check(
        session, Check::State::skipped, "sanitized_programs",
        "the sanitizers did not see the programs for " + left_out +
            ": no shape of theirs is small enough and starts few enough threads, or there are too many");
    add_flag(session, kUnsanitizedFlag);
  }
  say_crowded(session, chosen);
  add_state_check(session, Check::State::skipped, "sandbox_sanitizers",
                  "not in force: deny-list (compute-sanitizer works inside the process and needs the calls)");
  bool clean = true;
  for (const auto& run : session.workplace.run_sanitizers(built.job)) {
    const auto finding = sanitize::judge_run(run, session.request.source, built.kernels);
    add_state_check(session, finding.state, run.tool, finding.text);
    if (finding.unchecked) {
      add_flag(session, kUncheckedFlag);
    } else if (finding.state == Check::State::skipped) {
      add_flag(session,
               kUnfinishedFlag);  // a candidate can be slow on purpose where it is watched
    }
    if (finding.state == Check::State::failed && clean)
      clean = session.stop(finding.verdict, finding.kind, run.tool + ": " + finding.text);
  }
  return clean;
}

}  // namespace kgen::judge
