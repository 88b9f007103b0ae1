#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "agent/run_folder.hpp"
#include "core/run_state.hpp"
#include "judge/evaluator.hpp"
#include "llm/client.hpp"
#include "prompt/prompt_library.hpp"

namespace kgen::agent {

/// What the loop tells while it runs. The callbacks may be empty; `tokens` is called from other threads.
struct LoopProgress {
  /// After each line of the journal.
  std::function<void(const core::Event& event, const core::RunState& state)> event;
  std::function<void(int candidate, core::Tier tier, const core::Stage& stage)> stage;
  std::function<void(int candidate, std::int64_t output_tokens)> tokens;
};

struct LoopInputs {
  Journal& journal;
  RunPaths paths;
  std::vector<llm::Client*> clients;  ///< one a call that may be open at once
  bool paid = true;                   ///< whether a call of these clients costs anything (manual, replay: no)
  llm::ModelOptions options;
  core::SearchOptions search;  ///< a new run's own, or what a resumed one goes on with
  judge::Evaluator& evaluator;
  core::DeviceFacts device;  ///< of the evaluator
  const prompt::PromptLibrary& prompts;
  std::function<bool()> cancelled;
  LoopProgress progress;
};

/// Searches until the run is finished. Everything is in the run directory when this returns, whatever it
/// returns. Errors (the run can be resumed after each): waiting (replies to write; the message lists the
/// files), interrupted, provider, missing (worker, disk space), internal.
Result<core::Finished> run_search(const LoopInputs& inputs);

}  // namespace kgen::agent
