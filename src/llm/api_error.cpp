#include "llm/api_error.hpp"

#include <array>
#include <utility>

#include "llm/json_fields.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 22> kStatusOfCode = {{
    {"insufficient_quota", 429},
    {"enforced_spend_limit_reached", 429},
    {"rate_limit_exceeded", 429},
    {"rate_limit_error", 429},
    {"slow_down", 429},
    {"server_is_overloaded", 503},
    {"overloaded_error", 529},
    {"timeout_error", 504},
    {"server_error", 500},
    {"api_error", 500},
    {"invalid_prompt", 400},
    {"billing_error", 402},
    {"permission_error", 403},
    {"not_found_error", 404},
    {"request_too_large", 413},
    {"invalid_request_error", 400},
    {"BadRequestError", 400},
    {"context_length_exceeded", 400},
    {"exceed_context_size_error", 400},
    {"authentication_error", 401},
    {"invalid_api_key", 401},
    {"model_not_found", 404},
}};

/// A code may be a string, a number, or the number as a string.
int status_of(const ApiError& error, const nlohmann::json& details) {
  for (const std::string& word : {error.code, json_text(details, "type")}) {
    for (const auto& [code, status] : kStatusOfCode) {
      if (code == word) return status;
    }
  }
  for (const std::string_view name : {"code", "status"}) {
    const std::int64_t number = json_count(details, name);
    if (number >= 400 && number <= 599) return static_cast<int>(number);
  }
  return 500;
}

}  // namespace

ApiError read_api_error(int status, const nlohmann::json& body) {
  ApiError error;
  error.status = status;
  const nlohmann::json& inner = json_member(body, "error");
  const nlohmann::json& details = inner.is_object() ? inner : body;
  error.message = inner.is_string() ? inner.get<std::string>() : json_text(details, "message");
  if (error.message.empty()) error.message = json_text(details, "detail");
  if (error.message.empty())
    error.message = body.is_string() ? body.get<std::string>()
                                     : body.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  error.code =
      json_text(json_member(details, "details"), "error_code");  // Anthropic: a finer word than the type
  if (error.code.empty()) error.code = json_text(details, "code");
  if (error.code.empty()) error.code = json_text(details, "type");
  if (status < 400) error.status = status_of(error, details);
  return error;
}

}  // namespace kgen::llm
