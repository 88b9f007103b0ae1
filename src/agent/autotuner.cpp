#include "agent/autotuner.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "agent/judging.hpp"
#include "util/clock.hpp"

namespace kgen::agent {
namespace {

using core::SweptVariant;
using core::Verdict;

constexpr std::size_t kMostScreens = 3;

bool is_implausible(const core::Evaluation& evaluation) {
  return std::find(evaluation.flags.begin(), evaluation.flags.end(), "implausible_time") !=
         evaluation.flags.end();
}

std::string why_taken(const SweptVariant& first, const SweptVariant& taken) {
  if (!first.time)
    return core::variant_text(first.variant) + " is " + std::string(core::name_of(first.verdict));
  char factor[32];
  std::snprintf(factor, sizeof factor, "%.3g", first.time->median_us / taken.time->median_us);
  return std::string(factor) + " times as fast as " + core::variant_text(first.variant) + " in the sweep";
}

std::string why_kept(const core::SweepReply& reply, bool any_faster) {
  if (reply.method.empty()) return "nothing was timed";
  if (any_faster) return "those that were faster in the sweep are not in a screen of their own";
  return "no other variant is faster beyond doubt";
}

/// Takes over what a screen of its own found of a variant that the sweep thought right.
void reject(core::SweepReply& reply, const core::Evaluation& evaluation) {
  for (SweptVariant& variant : reply.variants) {
    if (variant.variant != evaluation.variant) continue;
    variant.verdict = evaluation.verdict;
    variant.kind = evaluation.kind;
    variant.message = evaluation.message;
    variant.time.reset();
  }
}

/// Judges the fastest variants in full until one keeps what it promised.
Status screen_fastest(judge::Evaluator& evaluator, const TuneInputs& inputs,
                      const judge::EvaluationCallbacks& callbacks, Tuning& tuning) {
  std::vector<SweptVariant> promising;
  for (const SweptVariant* variant : faster_variants(tuning.record.reply)) promising.push_back(*variant);
  const SweptVariant first = tuning.record.reply.variants.front();
  const double before_us = inputs.before ? inputs.before->median_us
                           : first.time  ? first.time->median_us
                                         : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(promising.size(), kMostScreens); ++i) {
    core::EvaluateRequest request = inputs.screen;
    request.variant = promising[i].variant;
    KGEN_TRY(core::Evaluation screen,
             with_fresh_worker(evaluator, [&] { return evaluator.evaluate(request, callbacks); }));
    if (screen.verdict != Verdict::correct) {
      screen.variant = promising[i].variant;
      reject(tuning.record.reply, screen);
      continue;
    }
    if (!screen.timing || is_implausible(screen) || screen.timing->candidate.median_us >= before_us) continue;
    tuning.record.variant = promising[i].variant;
    tuning.record.reason = why_taken(first, promising[i]);
    tuning.screen = std::move(screen);
    return {};
  }
  tuning.record.reason = why_kept(tuning.record.reply, !promising.empty());
  return {};
}

}  // namespace

core::PlanResult<VariantChoice> choose_variants(const std::string& source, const core::Task& task,
                                                const core::DeviceFacts& device, int most,
                                                std::uint64_t seed) {
  KGEN_TRY(const core::LaunchPlan plan, core::parse_plan(source));
  VariantChoice choice;
  KGEN_TRY(choice.variants, core::feasible_variants(plan, task, device));
  choice.feasible = static_cast<int>(choice.variants.size());
  for (std::size_t i = choice.variants.size(); i > 2; --i)  // Fisher-Yates; the first stays where it is
    std::swap(choice.variants[i - 1], choice.variants[1 + util::derived_seed(seed, i) % (i - 1)]);
  const auto limit = static_cast<std::size_t>(std::max(1, most));
  if (choice.variants.size() > limit) choice.variants.resize(limit);
  return choice;
}

int count_variants(const std::string& source, const core::Task& task, const core::DeviceFacts& device) {
  const auto choice = choose_variants(source, task, device, 1, 0);
  return choice ? choice->feasible : 0;
}

std::vector<const SweptVariant*> faster_variants(const core::SweepReply& reply) {
  std::vector<const SweptVariant*> out;
  if (reply.variants.empty()) return out;
  const auto& first = reply.variants.front();
  const double limit_us = first.time ? first.time->low_us : std::numeric_limits<double>::infinity();
  for (const SweptVariant& variant : reply.variants) {
    if (variant.verdict == Verdict::correct && variant.time && variant.time->high_us < limit_us)
      out.push_back(&variant);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return a->time->median_us < b->time->median_us; });
  return out;
}

Result<Tuning> tune(judge::Evaluator& evaluator, const TuneInputs& inputs,
                    const judge::EvaluationCallbacks& callbacks) {
  const core::EvaluateRequest& screen = inputs.screen;
  const auto choice =
      choose_variants(screen.source, screen.task, inputs.device, inputs.most_variants, inputs.seed);
  if (!choice)
    return fail(ErrorKind::bad_input, "the plan cannot be resolved for " + core::describe(screen.task) +
                                          ": " + choice.error().text());
  core::SweepRequest request{screen.task,      screen.source,           inputs.seed,
                             choice->variants, screen.kernel_timeout_s, inputs.limit_s};
  Tuning tuning;
  tuning.record.seed = inputs.seed;
  tuning.record.feasible = choice->feasible;
  tuning.record.before = tuning.record.variant = choice->variants.front();
  KGEN_TRY(tuning.record.reply,
           with_fresh_worker(evaluator, [&] { return evaluator.sweep(request, callbacks); }));
  if (tuning.record.reply.variants.empty()) {
    tuning.record.reason = "no variant was tried in time";
    return tuning;
  }
  KGEN_CHECK(screen_fastest(evaluator, inputs, callbacks, tuning));
  return tuning;
}

}  // namespace kgen::agent
