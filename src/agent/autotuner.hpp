#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/resolved_plan.hpp"
#include "judge/evaluator.hpp"

namespace kgen::agent {

/// The variants of one candidate that a sweep tries.
struct VariantChoice {
  std::vector<core::Variant> variants;  ///< what the others are compared with first, then in random order
  int feasible = 0;                     ///< that the plan's constraints allow
};
/// At most `most` feasible variants for the task; which of them, and their order, follow from `seed`.
/// Problems: as core::feasible_variants.
core::PlanResult<VariantChoice> choose_variants(const std::string& source, const core::Task& task,
                                                const core::DeviceFacts& device, int most,
                                                std::uint64_t seed);
/// How many variants the plan allows for the task; 0 where the plan is wrong.
int count_variants(const std::string& source, const core::Task& task, const core::DeviceFacts& device);

/// Correct variants that are faster than the first beyond doubt (all, where the first was not timed), the
/// fastest first.
std::vector<const core::SweptVariant*> faster_variants(const core::SweepReply& reply);

struct TuneInputs {
  core::EvaluateRequest screen;  ///< how a variant is judged in full: task, source, seed, limits
  core::DeviceFacts device;
  int most_variants = 64;
  double limit_s = 60;
  std::uint64_t seed = 0;  ///< of the sweep: which variants, in which order, on which values
  std::optional<core::Interval>
      before;  ///< time of the first variant in a screen of its own, where it had one
};
struct Tuning {
  core::SweepRecord record;
  std::optional<core::Evaluation> screen;  ///< of record.variant, where it is another than record.before
};
/// Sweeps a candidate's variants and judges the fastest in full; one that fails there is recorded as rejected
/// and the next one is judged (at most three). Goes on with what is correct and faster, else with the first
/// variant. Errors: bad_input where the plan cannot be resolved for the task; those of the evaluator.
Result<Tuning> tune(judge::Evaluator& evaluator, const TuneInputs& inputs,
                    const judge::EvaluationCallbacks& callbacks);

}  // namespace kgen::agent
