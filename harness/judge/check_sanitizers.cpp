#include "harness/judge/check_sanitizers.hpp"

#include <algorithm>
#include <set>

#include "harness/judge/check_summary.hpp"
#include "harness/judge/checks.hpp"
#include "harness/judge/rules.hpp"
#include "harness/judge/run_case.hpp"
#include "harness/sanitize/finding.hpp"

namespace kgen::judge {
namespace {

using core::Check;

constexpr std::size_t kMostShapes = 6;
constexpr std::int64_t kMostBytes = 1 << 20;
/// Of the smallest shape, where the plan serves none of kMostBytes.
constexpr std::int64_t kMostBytesAlone = 256 << 20;
constexpr const char* kUncheckedFlag = "async_barrier_unchecked";
constexpr const char* kUnfinishedFlag = "sanitizer_unfinished";

bool launches_something(const ShapeCase& shape) {
  return std::any_of(shape.sequence.steps.begin(), shape.sequence.steps.end(),
                     [](const auto& step) { return std::holds_alternative<run::LaunchKernel>(step); });
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

/// Programs of the chosen shapes, compiled again with line numbers. Where one does not compile, `why` says
/// so.
struct Built {
  sanitize::Job job;
  bool async_barriers = false;
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
    out.async_barriers = out.async_barriers || sanitize::uses_async_barriers(results[i].ptx);
  }
  return out;
}

void skip_all(Session& session, const std::string& why) {
  for (const char* tool : sanitize::kTools) add_state_check(session, Check::State::skipped, tool, why);
}

void add_flag(core::Evaluation& evaluation, const char* flag) {
  auto& flags = evaluation.flags;
  if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.emplace_back(flag);
}

}  // namespace

std::vector<std::size_t> sanitizer_shapes(const Session& session) {
  const auto bytes_of = [&](std::size_t i) { return buffer_bytes(session.shapes[i]); };
  std::vector<std::size_t> small;
  for (std::size_t i = 0; i < session.shapes.size(); ++i) {
    if (launches_something(session.shapes[i]) && bytes_of(i) <= kMostBytesAlone) small.push_back(i);
  }
  std::stable_sort(small.begin(), small.end(),
                   [&](std::size_t a, std::size_t b) { return bytes_of(a) < bytes_of(b); });
  // Small ones; where `requires` leaves none, the smallest.
  while (small.size() > 1 && bytes_of(small.back()) > kMostBytes) small.pop_back();
  std::vector<std::size_t> chosen;
  std::set<std::size_t> programs;
  for (const std::size_t shape : small) {
    if (chosen.size() < kMostShapes && programs.insert(session.shapes[shape].program).second)
      chosen.push_back(shape);
  }
  // The rest evenly from small to large.
  const std::size_t more = kMostShapes - chosen.size();
  for (std::size_t i = 0; i < more && !small.empty(); ++i) {
    const std::size_t shape = small[(small.size() - 1) * (i + 1) / more];
    if (std::find(chosen.begin(), chosen.end(), shape) == chosen.end()) chosen.push_back(shape);
  }
  return chosen;
}

Result<bool> check_sanitizers(Session& session) {
  if (!session.workplace.run_sanitizers) {
    skip_all(session, session.workplace.no_sanitizers);
    return true;
  }
  const auto chosen = sanitizer_shapes(session);
  Built built = chosen.empty() ? Built{{}, false, "no shape that it serves is as small as 256 MiB"}
                               : build_job(session, chosen);
  if (!built.why.empty()) {
    skip_all(session, built.why);
    return true;
  }
  bool clean = true;
  for (const auto& run : session.workplace.run_sanitizers(built.job)) {
    const auto finding = sanitize::judge_run(run, session.request.source, built.async_barriers);
    add_state_check(session, finding.state, run.tool, finding.text);
    if (finding.unchecked) {
      add_flag(session.evaluation, kUncheckedFlag);
    } else if (finding.state == Check::State::skipped) {
      add_flag(session.evaluation,
               kUnfinishedFlag);  // a candidate can be slow on purpose where it is watched
    }
    if (finding.state == Check::State::failed && clean)
      clean = session.stop(finding.verdict, finding.kind, run.tool + ": " + finding.text);
  }
  return clean;
}

}  // namespace kgen::judge
