#include "harness/sanitize/sanitize_main.hpp"

#include <cstdio>

#include "harness/cuda/handles.hpp"
#include "harness/run/fault_table.hpp"
#include "harness/run/plan_launcher.hpp"
#include "harness/sanitize/sanitize_job.hpp"
#include "util/file.hpp"

namespace kgen::sanitize {
namespace {

/// The buffers of one case on the device.
struct CaseMemory {
  run::BufferViews views;
  std::vector<cuda::DeviceBuffer> memory;
};

/// Uploads are queued on `stream`: what is launched there sees them whole.
Result<CaseMemory> allocate(const JobCase& one, const cuda::Stream& stream) {
  CaseMemory out;
  for (const JobBuffer& buffer : one.buffers) {
    KGEN_TRY(auto memory, cuda::DeviceBuffer::allocate_exact(buffer.bytes));
    if (!buffer.data.empty())
      KGEN_CHECK(
          KGEN_CU(cuMemcpyHtoDAsync, memory.address(), buffer.data.data(), buffer.data.size(), stream.get()));
    out.views[buffer.name] = {memory.address(), buffer.bytes};
    out.memory.push_back(std::move(memory));
  }
  return out;
}

Status run_case(const Job& job, const JobCase& one, const cuda::Stream& stream) {
  KGEN_TRY(const CaseMemory memory, allocate(one, stream));
  const JobProgram& program = job.programs.at(one.program);
  const auto finished = [&]() -> run::RunResult<void> {
    KGEN_TRY(const auto launcher, run::PlanLauncher::load(program.cubin, program.kernels));
    KGEN_TRY(const auto prepared, launcher.prepare(one.sequence, memory.views));
    KGEN_CHECK(run::enqueue(prepared, stream.get()));
    return run::wait_for_stream(stream.get());
  }();
  if (!finished) return tl::unexpected(run::to_error(finished.error()));
  return {};
}

Status run_job() {
  KGEN_TRY(const Job job, read_job(".."));
  KGEN_TRY(const auto context, cuda::Context::retain(job.device));
  KGEN_TRY(const auto stream, cuda::make_stream());
  for (std::size_t i = 0; i < job.cases.size(); ++i) {
    KGEN_CHECK(run_case(job, job.cases[i], stream));
    KGEN_CHECK(util::write_file_atomic("done", std::to_string(i + 1)));
  }
  return {};
}

}  // namespace

int sanitize_main() {
  const Status done = run_job();
  if (done) return 0;
  std::fprintf(stderr, "kgen-worker sanitize: %s\n", done.error().text().c_str());
  return done.error().kind == ErrorKind::missing ? 5 : 1;
}

}  // namespace kgen::sanitize
