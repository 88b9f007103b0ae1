#include "llm/openai_chat_decoder.hpp"

#include "llm/event_decoder.hpp"
#include "llm/json_fields.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

StopReason stop_of(const std::string& finish_reason) {
  if (finish_reason == "stop" || finish_reason == "eos" || finish_reason == "end_turn")
    return StopReason::end_turn;
  if (finish_reason == "length" || finish_reason == "max_tokens") return StopReason::max_tokens;
  if (finish_reason == "content_filter" || finish_reason == "refusal") return StopReason::refusal;
  return StopReason::other;
}

/// `content` is a string, or a list of parts with text.
std::string content_text(const json& content) {
  if (content.is_string()) return content.get<std::string>();
  std::string text;
  if (content.is_array()) {
    for (const json& part : content) text += json_text(part, "text");
  }
  return text;
}

Usage usage_of_chat(const json& usage) {
  const json& input = json_member(usage, "prompt_tokens_details");
  return {json_count(usage, "prompt_tokens"), json_count(input, "cached_tokens"),
          json_count(usage, "completion_tokens"),
          json_count(json_member(usage, "completion_tokens_details"), "reasoning_tokens"),
          json_count(input, "cache_write_tokens")};
}

class OpenAiChatDecoder : public EventDecoder {
 public:
  OpenAiChatDecoder() : EventDecoder("no chat completion") {}

 private:
  void take_event(const json& chunk) override { take_chunk(chunk, "delta"); }

  bool take_body(const json& body) override {
    if (!json_member(body, "choices").is_array()) return false;
    take_chunk(body, "message");
    return true;
  }

  void take_done() override {
    if (out_.terminal || output_bytes() == 0) return;
    out_.terminal = true;
    out_.stop = refused_ ? StopReason::refusal : StopReason::end_turn;
  }

  void take_chunk(const json& chunk, std::string_view part_name) {
    if (const std::string model = json_text(chunk, "model"); !model.empty()) out_.model = model;
    if (const std::string id = json_text(chunk, "id"); !id.empty()) out_.id = id;
    if (json_member(chunk, "usage").is_object()) out_.usage = usage_of_chat(json_member(chunk, "usage"));
    const json& choices = json_member(chunk, "choices");
    if (!choices.is_array()) return;
    for (const json& choice : choices) {
      if (json_count(choice, "index") == 0) take_choice(choice, json_member(choice, part_name));
    }
  }

  void take_choice(const json& choice, const json& part) {
    out_.text += content_text(json_member(part, "content"));
    const std::string reasoning = json_text(part, "reasoning");
    out_.reasoning += reasoning.empty() ? json_text(part, "reasoning_content") : reasoning;
    if (const std::string refusal = json_text(part, "refusal"); !refusal.empty()) {
      refused_ = true;
      out_.stop = StopReason::refusal;
      out_.text += refusal;
    }
    if (const std::string reason = json_text(choice, "finish_reason"); !reason.empty()) {
      out_.terminal = true;
      out_.stop = refused_ ? StopReason::refusal : stop_of(reason);
    }
  }

  bool refused_ = false;
};

}  // namespace

std::unique_ptr<ReplyDecoder> make_openai_chat_decoder() {
  return std::make_unique<OpenAiChatDecoder>();
}

}  // namespace kgen::llm
