#pragma once

#include <filesystem>
#include <memory>

#include "llm/client.hpp"
#include "util/error.hpp"

namespace kgen::llm {

/// Serves a transcript's replies by candidate number, whatever the prompt; Reply::prompt_matches says whether
/// the prompt is the recorded one. Past its end: an error of kind provider. Errors: bad_input where the
/// transcript cannot be read.
Result<std::unique_ptr<Client>> make_replay_client(const std::filesystem::path& folder);

}  // namespace kgen::llm
