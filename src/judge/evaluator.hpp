#pragma once

#include <functional>
#include <string>

#include "core/evaluation.hpp"
#include "core/protocol.hpp"
#include "core/sweep.hpp"
#include "util/error.hpp"

namespace kgen::judge {

/// What an evaluation calls back while it runs. The callbacks may be empty.
struct EvaluationCallbacks {
  std::function<bool()> cancelled;
  std::function<void(const core::Stage& stage)> stage;
};

/// What judges candidates: src/judge's WorkerPool, or a fake in tests. A bad kernel is an Evaluation; an
/// Error means that the judge itself failed (missing), or that `cancelled` returned true (interrupted).
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  virtual Result<core::Evaluation> evaluate(const core::EvaluateRequest& request,
                                            const EvaluationCallbacks& callbacks) = 0;
  virtual Result<core::BaselineReply> baseline(const core::BaselineRequest& request,
                                               const EvaluationCallbacks& callbacks) = 0;
  virtual Result<core::SweepReply> sweep(const core::SweepRequest& request,
                                         const EvaluationCallbacks& callbacks) = 0;
  /// Ends the worker and starts a fresh one: after an Error, before the one retry.
  virtual Status restart() = 0;
};

}  // namespace kgen::judge
