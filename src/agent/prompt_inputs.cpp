#include "agent/prompt_inputs.hpp"

#include <system_error>
#include <utility>

namespace kgen::agent {
namespace {

/// A candidate with its newest evaluation: the promotion's where there is one.
Result<prompt::ShownCandidate> shown(const core::CandidateState& candidate, const RunPaths& paths) {
  prompt::ShownCandidate out;
  out.number = candidate.number;
  const core::Tier tier = candidate.promotion ? core::Tier::promotion : core::Tier::screen;
  KGEN_TRY(out.evaluation, read_evaluation(paths, candidate.number, tier));
  if (candidate.source_hash.empty()) return out;
  KGEN_TRY(out.source, read_tuned_kernel(paths, candidate));
  if (candidate.swept) {
    KGEN_TRY(out.sweep, read_sweep(paths, candidate.number));
  }
  return out;
}

/// What a reply without a usable file was an answer about: the candidate that it was to repair or to refine;
/// null where it was a plan of its own.
const core::CandidateState* meant_by(const core::RunState& state, const core::CandidateState& reply) {
  const core::CandidateState* at = &reply;
  while (at != nullptr && at->source_hash.empty() && at->purpose != core::Purpose::plan)
    at = state.find(at->parent);
  return at == nullptr || at->source_hash.empty() ? nullptr : at;
}

/// Why `reply` was asked for: that of the first of the replies without a file that lead to it.
core::Purpose purpose_of(const core::RunState& state, const core::CandidateState& reply, int meant) {
  const core::CandidateState* at = &reply;
  while (at->parent != meant) at = state.find(at->parent);
  return at->purpose;
}

}  // namespace

Result<prompt::BuiltPrompt> prompt_for(const AskNew& step, const Journal& journal, const RunPaths& paths,
                                       const prompt::PromptLibrary& library) {
  const core::RunState& state = journal.state();
  prompt::PromptRequest request;
  request.task = &journal.record().task;
  request.device = &state.device;
  request.target = state.search.target;
  request.baselines = state.baselines.value_or(std::vector<core::BaselineTiming>{});
  request.purpose = step.purpose;
  request.hint_index = step.hint_index;
  request.general = state.search.general;
  for (const core::CandidateState& candidate : state.candidates) {
    if (candidate.phase == core::CandidateState::Phase::judged) request.tried.push_back(candidate);
  }
  if (const core::CandidateState* parent = state.find(step.parent)) {
    KGEN_TRY(request.subject, shown(*parent, paths));
    const core::CandidateState* meant = meant_by(state, *parent);
    if (meant != nullptr && meant != parent) {
      request.unusable = std::exchange(request.subject, std::nullopt);
      KGEN_TRY(request.subject, shown(*meant, paths));
      request.purpose = purpose_of(state, *parent, meant->number);
    }
    if (!state.search.diagnosis) request.subject->evaluation.profile.reset();
  }
  return prompt::build_prompt(library, request);
}

}  // namespace kgen::agent
