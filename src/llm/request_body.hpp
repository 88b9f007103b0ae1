#pragma once

// What every codec's request body has in common.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "llm/codec.hpp"
#include "util/error.hpp"

namespace kgen::llm {

/// The user's further fields as a JSON object, {} where `text` is empty. Errors: bad_input where it is none.
Result<nlohmann::json> parse_extra_body(const std::string& text);

/// A streamed POST of `body`, with `extra` merged into it (RFC 7396).
EncodedRequest encode_stream_request(std::string path, nlohmann::json body, const nlohmann::json& extra);

/// An error response's body: the protocols' common shapes, else its text as the message.
ApiError decode_error_body(int status, std::string_view body);

}  // namespace kgen::llm
