#pragma once

// The error shapes that model servers send.

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "llm/codec.hpp"

namespace kgen::llm {

/// Reads {error: {message, type, code}}, {error: {type, message, details: {error_code}}}, {error: "text"},
/// {message, type, code} and {detail: "text"}.
/// `status` is the response's; at 200 the status that the code or type stands for is put in its place (500
/// where nothing says).
ApiError read_api_error(int status, const nlohmann::json& body);

}  // namespace kgen::llm
