#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/proof.hpp"
#include "prompt/draft_reply.hpp"
#include "prompt/prompt_builder.hpp"

namespace kgen::prompt {

/// A specification that is shown as an example.
struct DraftExample {
  std::string title;
  DraftFiles files;
};

/// What the person said: to a question, or of their own accord (`question` is empty).
struct DraftAnswer {
  std::string question;
  std::string answer;  ///< empty: they have no preference
};

/// Everything a draft's prompt is built from.
struct DraftRequest {
  std::string description;           ///< of the operation, in the person's words
  std::vector<DraftAnswer> answers;  ///< so far, in order
  std::optional<DraftFiles> last;    ///< the newest draft
  std::string problem;               ///< why the newest reply could not be read; empty: it could
  std::vector<core::Finding>
      findings;  ///< of the newest draft: those that failed and those that are missing are shown
  std::vector<DraftExample> examples;
};

/// A prompt that asks for a specification: `system` is the same for all prompts of a draft. Errors: bad_input
/// for a replaced template that does not fit.
Result<Messages> build_draft_prompt(const PromptLibrary& library, const DraftRequest& request);

/// The section "op.toml" of docs/formats.md, from its first paragraph on.
Result<std::string> op_format_text();

}  // namespace kgen::prompt
