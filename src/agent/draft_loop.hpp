#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "agent/draft_folder.hpp"
#include "llm/client.hpp"
#include "prompt/draft_prompt.hpp"

namespace kgen::agent {

/// What the check of a draft found (kgen ops check).
struct DraftProof {
  bool proven = false;
  std::string op, op_hash;  ///< empty where op.toml cannot be read
  std::vector<core::Finding> findings;
};

/// What the loop tells while it runs. The callbacks may be empty.
struct DraftProgress {
  std::function<void(const DraftEventBody& event)> event;  ///< after each line of the journal
  std::function<void(int candidate, std::int64_t output_tokens)> tokens;
};

struct DraftInputs {
  DraftJournal& journal;
  DraftPaths paths;
  llm::Client& client;
  bool paid = true;  ///< whether a call costs anything (manual, replay: no)
  llm::ModelOptions options;
  int repairs = 3;  ///< of drafts that fail, one after the other
  const prompt::PromptLibrary& prompts;
  std::vector<prompt::DraftExample> examples;
  /// Checks the op in a folder. Errors end the session; what is wrong with the op is a finding.
  std::function<Result<DraftProof>(const std::filesystem::path& folder)> prove;
  std::function<bool()> cancelled;
  DraftProgress progress;
};

/// Asks, checks and asks for repairs until it is a person's turn (DraftStep::stop). Everything is in the
/// draft's folder when this returns, whatever it returns. Errors (the draft can be resumed after each):
/// waiting (a reply to write), interrupted, provider, missing (worker, disk space), internal.
Status run_draft(const DraftInputs& inputs);

/// What the person said so far: each answer with the question that it was given to.
std::vector<prompt::DraftAnswer> draft_answers(const DraftState& state);

}  // namespace kgen::agent
