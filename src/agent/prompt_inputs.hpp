#pragma once

#include "agent/run_folder.hpp"
#include "agent/search.hpp"
#include "prompt/prompt_builder.hpp"

namespace kgen::agent {

/// The prompt for a new candidate, built afresh from the state and the files of the run.
Result<prompt::BuiltPrompt> prompt_for(const AskNew& step, const Journal& journal, const RunPaths& paths,
                                       const prompt::PromptLibrary& library);

}  // namespace kgen::agent
