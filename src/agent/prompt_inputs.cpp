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

/// What a reply was an answer about, and what was asked for then: where it holds no file that could be used,
/// nor those that it was asked again for, the candidate that the first of them was to repair or to refine.
struct Request {
  const core::CandidateState* about =
      nullptr;  ///< the reply itself where it holds a file, or was a plan of its own
  core::Purpose purpose = core::Purpose::repair;
};

Request request_of(const core::RunState& state, const core::CandidateState& reply) {
  Request out{&reply};
  while (out.about->source_hash.empty()) {
    const core::CandidateState* const before = state.find(out.about->parent);
    if (out.about->purpose == core::Purpose::plan || before == nullptr) return {&reply};
    out = {before, out.about->purpose};
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
    const Request asked = request_of(state, *parent);
    KGEN_TRY(request.subject, shown(*asked.about, paths));
    if (asked.about != parent) {
      KGEN_TRY(request.unusable, shown(*parent, paths));
      request.purpose = asked.purpose;
    }
    if (!state.search.diagnosis) request.subject->evaluation.profile.reset();
  }
  return prompt::build_prompt(library, request);
}

}  // namespace kgen::agent
