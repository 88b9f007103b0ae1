#pragma once

#include <memory>
#include <string>

#include "llm/codec.hpp"
#include "util/error.hpp"

namespace kgen::llm {

struct AnthropicSettings {
  bool cache_prefix = true;            ///< marks the system part for the server's prompt cache
  std::string version = "2026-10-21";  ///< the anthropic-version header, as @anthropic-ai/sdk 1.11 sends it
  int default_max_tokens = 32000;      ///< the field is required; thinking counts within
  std::string extra_body;              ///< a JSON object merged into every request (RFC 7396); empty: none
};

/// POST /v1/messages, streamed. Effort goes into output_config; `thinking` is left to the model's default
/// (some models refuse the field). Errors: bad_input where extra_body is no JSON object.
Result<std::unique_ptr<Codec>> make_anthropic_codec(AnthropicSettings settings);

/// Reads a Messages body: a stream of events, or the one JSON object. A stop_reason ends the reply; a stream
/// without one is not terminal. Unknown events and blocks are passed over.
std::unique_ptr<ReplyDecoder> make_anthropic_decoder();

}  // namespace kgen::llm
