#include <algorithm>
#include <array>
#include <utility>

#include "llm/api_error.hpp"
#include "llm/event_decoder.hpp"
#include "llm/json_fields.hpp"
#include "llm/openai_codec.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

/// Error codes of a failed response that say the model will not answer this, not that something broke.
bool is_refusal_code(std::string_view code) {
  constexpr std::array<std::string_view, 3> kCodes = {"invalid_prompt", "bio_policy",
                                                      "misalignment_policy_violation"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

Usage usage_of_response(const json& usage) {
  const json& input = json_member(usage, "input_tokens_details");
  return {json_count(usage, "input_tokens"), json_count(input, "cached_tokens"),
          json_count(usage, "output_tokens"),
          json_count(json_member(usage, "output_tokens_details"), "reasoning_tokens"),
          json_count(input, "cache_write_tokens")};
}

class OpenAiDecoder : public EventDecoder {
 public:
  OpenAiDecoder() : EventDecoder("no response object") {}

 private:
  void take_event(const json& data) override {
    const std::string type = json_text(data, "type");
    const std::string delta = json_text(data, "delta");
    if (type == "response.output_text.delta") {
      out_.text += delta;
    } else if (type == "response.refusal.delta") {
      refused_ = true;
      out_.text += delta;
    } else if (type == "response.reasoning_summary_text.delta" || type == "response.reasoning_text.delta") {
      out_.reasoning += delta;
    } else if (json_member(data, "response").is_object()) {
      take_response(json_member(data, "response"));
    }
  }

  bool take_body(const json& body) override {
    if (json_text(body, "status").empty() && !json_member(body, "output").is_array()) return false;
    take_response(body);
    return true;
  }

  void take_response(const json& response) {
    if (const std::string model = json_text(response, "model"); !model.empty()) out_.model = model;
    if (const std::string id = json_text(response, "id"); !id.empty()) out_.id = id;
    if (json_member(response, "usage").is_object())
      out_.usage = usage_of_response(json_member(response, "usage"));
    const std::string status = json_text(response, "status");
    if (status != "completed" && status != "incomplete" && status != "failed" && status != "cancelled")
      return;
    if (out_.text.empty()) take_output(json_member(response, "output"));
    done_ = true;
    if (status == "completed") {
      stop(StopReason::end_turn);
    } else if (status == "incomplete") {
      take_incomplete(json_text(json_member(response, "incomplete_details"), "reason"));
    } else {
      take_failure(response, status);
    }
  }

  void stop(StopReason reason, std::string detail = {}) {
    out_.terminal = true;
    out_.stop = refused_ ? StopReason::refusal : reason;
    out_.stop_detail = std::move(detail);
  }

  void take_incomplete(const std::string& reason) {
    if (reason.empty() || reason == "max_output_tokens") return stop(StopReason::max_tokens);
    stop(reason == "content_filter" ? StopReason::refusal : StopReason::other, reason);
  }

  void take_failure(const json& response, const std::string& status) {
    const json& error = json_member(response, "error");
    const std::string code = json_text(error, "code");
    if (is_refusal_code(code)) {
      const std::string message = json_text(error, "message");
      stop(StopReason::refusal, message.empty() ? code : code + ": " + message);
    } else {
      out_.error = error.is_object() ? read_api_error(200, response) : ApiError{500, status, ""};
    }
  }

  /// The finished output items: what servers send that stream no deltas.
  void take_output(const json& items) {
    if (!items.is_array()) return;
    const bool had_reasoning = !out_.reasoning.empty();
    for (const json& item : items) {
      const bool is_message = json_text(item, "type") == "message";
      if (!is_message && had_reasoning) continue;
      const json& parts = json_member(item, is_message ? "content" : "summary");
      if (!parts.is_array()) continue;
      for (const json& part : parts) take_part(part, is_message);
    }
  }

  void take_part(const json& part, bool is_message) {
    const std::string refusal = json_text(part, "refusal");
    if (!refusal.empty()) refused_ = true;
    (is_message ? out_.text : out_.reasoning) += json_text(part, "text") + refusal;
  }

  bool refused_ = false;
};

}  // namespace

std::unique_ptr<ReplyDecoder> make_openai_decoder() {
  return std::make_unique<OpenAiDecoder>();
}

}  // namespace kgen::llm
