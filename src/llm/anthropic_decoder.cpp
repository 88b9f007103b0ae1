
#include "llm/anthropic_codec.hpp"
#include "llm/event_decoder.hpp"
#include "llm/json_fields.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

StopReason stop_of(const std::string& reason) {
  if (reason == "end_turn" || reason == "stop_sequence") return StopReason::end_turn;
  if (reason == "max_tokens") return StopReason::max_tokens;
  if (reason == "model_context_window_exceeded") return StopReason::truncated;  // asking on cannot help
  if (reason == "refusal") return StopReason::refusal;
  return StopReason::other;
}

/// "cyber: the explanation", or what there is of it.
std::string refusal_detail(const json& details) {
  const std::string category = json_text(details, "category");
  const std::string explanation = json_text(details, "explanation");
  return category + (category.empty() || explanation.empty() ? "" : ": ") + explanation;
}

/// The counts in `from` take the place of those in `usage`: message_delta's are cumulative and may leave some
/// out.
void merge_counts(json& usage, const json& from) {
  if (!from.is_object()) return;
  for (const auto& [name, value] : from.items()) {
    if (!value.is_null()) usage[name] = value;
  }
}

Usage usage_of_message(const json& usage) {
  const std::int64_t cached = json_count(usage, "cache_read_input_tokens");
  const std::int64_t written = json_count(usage, "cache_creation_input_tokens");
  return {json_count(usage, "input_tokens") + cached + written, cached, json_count(usage, "output_tokens"),
          json_count(json_member(usage, "output_tokens_details"), "thinking_tokens"), written};
}

class AnthropicDecoder : public EventDecoder {
 public:
  AnthropicDecoder() : EventDecoder("no message") {}

 private:
  void take_event(const json& data) override {
    const std::string type = json_text(data, "type");
    if (type == "message_start") {
      take_message(json_member(data, "message"));
    } else if (type == "content_block_start") {
      take_block(json_member(data, "content_block"));
    } else if (type == "content_block_delta") {
      take_block(json_member(data, "delta"));
    } else if (type == "message_delta") {
      take_usage(json_member(data, "usage"));
      take_stop(json_member(data, "delta"));
    } else if (type == "message_stop") {
      done_ = true;
    }
  }

  bool take_body(const json& body) override {
    if (!json_member(body, "content").is_array()) return false;
    take_message(body);
    take_stop(body);
    return true;
  }

  void take_message(const json& message) {
    out_.model = json_text(message, "model");
    out_.id = json_text(message, "id");
    take_usage(json_member(message, "usage"));
    if (const json& content = json_member(message, "content"); content.is_array()) {
      for (const json& block : content) take_block(block);
    }
  }

  /// A block and its delta name their text alike.
  void take_block(const json& block) {
    out_.text += json_text(block, "text");
    out_.reasoning += json_text(block, "thinking");
  }

  void take_usage(const json& usage) {
    merge_counts(usage_, usage);
    if (!usage_.empty()) out_.usage = usage_of_message(usage_);
  }

  void take_stop(const json& delta) {
    const std::string reason = json_text(delta, "stop_reason");
    if (reason.empty()) return;
    out_.terminal = true;
    out_.stop = stop_of(reason);
    out_.stop_detail = reason == "refusal" ? refusal_detail(json_member(delta, "stop_details"))
                       : out_.stop == StopReason::truncated || out_.stop == StopReason::other ? reason
                                                                                              : "";
  }

  json usage_ = json::object();
};

}  // namespace

std::unique_ptr<ReplyDecoder> make_anthropic_decoder() {
  return std::make_unique<AnthropicDecoder>();
}

}  // namespace kgen::llm
