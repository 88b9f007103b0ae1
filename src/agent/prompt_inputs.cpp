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
    if (!state.search.diagnosis) request.subject->evaluation.profile.reset();
  }
  return prompt::build_prompt(library, request);
}

}  // namespace kgen::agent
