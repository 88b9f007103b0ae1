#pragma once

#include <memory>
#include <string>

#include "llm/codec.hpp"
#include "util/error.hpp"

namespace kgen::llm {

struct OpenAiSettings {
  /// Marks the end of the system part for the server's prompt cache (openai 7.55: models from gpt-5.6 on).
  /// Where nothing is marked, the system part goes into `instructions`.
  bool cache_prefix = true;
  std::string extra_body;  ///< a JSON object merged into every request (RFC 7396); empty: none
};

/// POST /responses (the Responses API), streamed and never stored. Errors: bad_input where extra_body is no
/// JSON object.
Result<std::unique_ptr<Codec>> make_openai_codec(OpenAiSettings settings);

/// Reads a Responses body: a stream of response.* events, or the one JSON object. The response's own `status`
/// says how it ended, whatever its last event is called.
std::unique_ptr<ReplyDecoder> make_openai_decoder();

}  // namespace kgen::llm
