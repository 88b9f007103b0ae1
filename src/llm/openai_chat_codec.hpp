#pragma once

#include <memory>
#include <string>

#include "llm/codec.hpp"
#include "util/error.hpp"

namespace kgen::llm {

/// What differs between servers that speak Chat Completions.
struct OpenAiChatSettings {
  std::string token_field = "max_completion_tokens";
  std::string system_role = "system";
  std::string extra_body;  ///< a JSON object merged into every request (RFC 7396); empty: none
  bool include_usage = true;
};

/// POST /chat/completions, streamed. Errors: bad_input where extra_body is no JSON object.
Result<std::unique_ptr<Codec>> make_openai_chat_codec(OpenAiChatSettings settings);

}  // namespace kgen::llm
