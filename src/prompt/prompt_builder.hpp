#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run_state.hpp"
#include "core/sweep.hpp"
#include "prompt/prompt_library.hpp"

namespace kgen::prompt {

/// A candidate that a prompt shows: what is to be repaired or refined, or the best so far.
struct ShownCandidate {
  int number = 0;
  std::string source;  ///< empty: the reply held no kernel
  core::Evaluation evaluation;
  std::optional<core::SweepRecord> sweep;  ///< what became of its variants, where they were timed
};

/// Everything a prompt is built from.
struct PromptRequest {
  const core::Task* task = nullptr;
  const core::DeviceFacts* device = nullptr;
  core::Target target;
  std::vector<core::BaselineTiming> baselines;  ///< measured before any candidate
  core::Purpose purpose = core::Purpose::plan;
  int hint_index = 0;
  std::optional<ShownCandidate> subject;  ///< for repair and refine
  /// The answer to this very request that held no file that could be used: asked again with what was wrong.
  std::optional<ShownCandidate> unusable;
  std::vector<core::CandidateState> tried;  ///< judged so far, in order
  bool general = false;
};

/// What a model is asked: `system` holds what stays the same in a run, `user` the rest.
struct Messages {
  std::string system;
  std::string user;
};

struct BuiltPrompt {
  Messages messages;
  std::string hint;  ///< name of the strategy or bottleneck it speaks of; empty: none
};

/// A prompt that stands alone: `system` is the same for all prompts of a run (rules, device, op), `user` what
/// is asked now. Errors: bad_input for a replaced template that does not fit.
Result<BuiltPrompt> build_prompt(const PromptLibrary& library, const PromptRequest& request);

/// Asks for the rest of a reply that was cut off by length.
Result<Messages> continuation_prompt(const PromptLibrary& library, const Messages& messages,
                                     const std::string& reply_so_far);
/// The two parts as one reply: a fence that the second part opens anew is left out.
std::string join_continuation(const std::string& first, const std::string& second);

}  // namespace kgen::prompt
