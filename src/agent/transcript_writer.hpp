#pragma once

#include <filesystem>
#include <string>

#include "agent/run_folder.hpp"
#include "util/error.hpp"

namespace kgen::agent {

/// Writes the replies of a run to `folder` as a transcript that the replay provider serves: reply files
/// verbatim, numbered in the order of the candidates (prompts that nobody answered are left out), and
/// transcript.json. `model` names who wrote the replies;
/// empty: as the journal has it. Errors: bad_input where the run has no reply, is a replay itself, or the
/// folder holds a transcript already.
Status write_transcript_of(const RunPaths& run, const std::filesystem::path& folder, const std::string& model,
                           const std::string& note);

}  // namespace kgen::agent
