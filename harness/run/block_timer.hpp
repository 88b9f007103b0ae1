#pragma once

#include <functional>
#include <vector>

#include "harness/run/l2_flush.hpp"
#include "harness/run/run_failure.hpp"

namespace kgen::run {

/// Puts one execution on a stream.
using Execution = std::function<RunResult<void>(CUstream)>;

/// What is timed, and what comes before it, outside its span (may be empty).
struct TimedExecution {
  Execution run, before;
};

/// Times each execution, in order: what comes before it, L2 flush and persisting-line reset outside, events
/// of its own around the whole execution. Microseconds. Used by the run role for candidates and by the judge
/// for library baselines alike, so that both are measured the same way.
///   stream: flush, event, execution, event; waits after each. The flush lasts longer than the launches take
///           to be put on the stream, so no launch latency is in the span.
///   graph:  the whole block is one graph, launched once; for executions below about 20 us.
RunResult<std::vector<double>> time_executions(const std::vector<TimedExecution>& block, const L2Flush& flush,
                                               bool graph, CUstream stream);

}  // namespace kgen::run
