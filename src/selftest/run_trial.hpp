#pragma once

#include <functional>
#include <vector>

#include "judge/evaluator.hpp"
#include "selftest/trial_result.hpp"

namespace kgen::selftest {

struct TrialOptions {
  std::uint64_t seed = 0;  ///< of the inputs
  core::DeviceKind device = core::DeviceKind::cuda;
  double kernel_timeout_s = 5;  ///< several kernels of the suite never end
};

/// Judges one kernel of the suite as promotion does. A judge that breaks down over it is a result too
/// (`failed`), and is started anew. Errors: interrupted; missing where the judge does not come up again.
Result<TrialResult> run_trial(const Trial& trial, const TrialOptions& options, judge::Evaluator& evaluator,
                              const judge::EvaluationCallbacks& callbacks);

/// Runs all trials in order. `on_result` is called after each. Errors: as run_trial.
Result<std::vector<TrialResult>> run_trials(const std::vector<Trial>& trials, const TrialOptions& options,
                                            judge::Evaluator& evaluator,
                                            const judge::EvaluationCallbacks& callbacks,
                                            const std::function<void(const TrialResult&)>& on_result);

}  // namespace kgen::selftest
