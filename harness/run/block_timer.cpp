#include "harness/run/block_timer.hpp"

#include "harness/run/fault_table.hpp"
#include "harness/run/plan_launcher.hpp"

namespace kgen::run {
namespace {

struct Span {
  cuda::Event start, stop;
};

RunResult<std::vector<Span>> make_spans(std::size_t count) {
  std::vector<Span> out(count);
  for (Span& span : out) {
    for (cuda::Event* event : {&span.start, &span.stop}) {
      CUevent handle = nullptr;
      KGEN_CHECK(check_world(cuda::driver().cuEventCreate(&handle, CU_EVENT_DEFAULT), "making an event"));
      *event = cuda::Event(handle);
    }
  }
  return out;
}

/// Lines that the kernel before marked as persisting would outlive a flush. Not all devices have such lines.
RunResult<void> reset_persisting_lines() {
  const CUresult code = cuda::driver().cuCtxResetPersistingL2Cache();
  if (code == CUDA_ERROR_NOT_SUPPORTED) return {};
  return check_world(code, "resetting persisting L2 lines");
}

/// What comes before, flush, event, one execution, event. `flags`: CU_EVENT_RECORD_EXTERNAL where the stream
/// is being captured.
RunResult<void> enqueue_timed(const TimedExecution& execution, const L2Flush& flush, const Span& span,
                              unsigned flags, CUstream stream) {
  if (execution.before) KGEN_CHECK(execution.before(stream));
  KGEN_CHECK(flush.enqueue(stream));
  KGEN_CHECK(check_world(cuda::driver().cuEventRecordWithFlags(span.start.get(), stream, flags),
                         "recording an event"));
  KGEN_CHECK(execution.run(stream));
  return check_world(cuda::driver().cuEventRecordWithFlags(span.stop.get(), stream, flags),
                     "recording an event");
}

RunResult<void> run_on_stream(const std::vector<TimedExecution>& block, const L2Flush& flush,
                              const std::vector<Span>& spans, CUstream stream) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    KGEN_CHECK(reset_persisting_lines());
    KGEN_CHECK(enqueue_timed(block[i], flush, spans[i], CU_EVENT_RECORD_DEFAULT, stream));
    KGEN_CHECK(wait_for_stream(stream));
  }
  return {};
}

RunResult<cuda::GraphExec> capture_block(const std::vector<TimedExecution>& block, const L2Flush& flush,
                                         const std::vector<Span>& spans, CUstream stream) {
  const auto& driver = cuda::driver();
  KGEN_CHECK(check_world(driver.cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                         "capturing a graph"));
  RunResult<void> captured;
  for (std::size_t i = 0; i < block.size() && captured; ++i) {
    captured = enqueue_timed(block[i], flush, spans[i], CU_EVENT_RECORD_EXTERNAL, stream);
  }
  CUgraph graph = nullptr;
  const CUresult ended =
      driver.cuStreamEndCapture(stream, &graph);  // also after a failure: the stream must come back
  const cuda::Graph owner(graph);
  KGEN_CHECK(std::move(captured));
  KGEN_CHECK(check_world(ended, "capturing a graph"));
  CUgraphExec executable = nullptr;
  KGEN_CHECK(
      check_run(driver.cuGraphInstantiate(&executable, graph, 0), Phase::launch, "the block as a graph"));
  cuda::GraphExec out(executable);
  KGEN_CHECK(check_world(driver.cuGraphUpload(executable, stream), "uploading a graph"));
  return out;
}

RunResult<void> run_as_graph(const std::vector<TimedExecution>& block, const L2Flush& flush,
                             const std::vector<Span>& spans, CUstream stream) {
  KGEN_TRY(const cuda::GraphExec graph, capture_block(block, flush, spans, stream));
  KGEN_CHECK(wait_for_stream(stream));
  KGEN_CHECK(reset_persisting_lines());
  KGEN_CHECK(
      check_run(cuda::driver().cuGraphLaunch(graph.get(), stream), Phase::launch, "the block as a graph"));
  return wait_for_stream(stream);
}

}  // namespace

RunResult<std::vector<double>> time_executions(const std::vector<TimedExecution>& block, const L2Flush& flush,
                                               bool graph, CUstream stream) {
  KGEN_TRY(const std::vector<Span> spans, make_spans(block.size()));
  KGEN_CHECK(graph ? run_as_graph(block, flush, spans, stream) : run_on_stream(block, flush, spans, stream));
  std::vector<double> out;
  for (const Span& span : spans) {
    float ms = 0;
    KGEN_CHECK(check_world(cuda::driver().cuEventElapsedTime(&ms, span.start.get(), span.stop.get()),
                           "reading a time"));
    out.push_back(static_cast<double>(ms) * 1000.0);
  }
  return out;
}

}  // namespace kgen::run
