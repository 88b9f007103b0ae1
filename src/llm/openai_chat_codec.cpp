#include "llm/openai_chat_codec.hpp"

#include <utility>

#include "llm/openai_chat_decoder.hpp"
#include "llm/request_body.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

class OpenAiChatCodec : public Codec {
 public:
  OpenAiChatCodec(OpenAiChatSettings settings, json extra)
      : settings_(std::move(settings)), extra_(std::move(extra)) {}

  std::string name() const override { return "openai-chat"; }

  EncodedRequest encode(const Prompt& prompt, const ModelOptions& options) const override {
    json messages = json::array();
    if (!prompt.system.empty()) {
      messages.push_back({{"role", settings_.system_role}, {"content", prompt.system}});
    }
    messages.push_back({{"role", "user"}, {"content", prompt.user}});
    json body = {{"model", options.model}, {"messages", std::move(messages)}};
    if (settings_.include_usage) body["stream_options"] = {{"include_usage", true}};
    if (options.max_output_tokens) body[settings_.token_field] = *options.max_output_tokens;
    if (!options.effort.empty()) body["reasoning_effort"] = options.effort;
    if (options.temperature) body["temperature"] = *options.temperature;
    return encode_stream_request("/chat/completions", std::move(body), extra_);
  }

  std::unique_ptr<ReplyDecoder> decoder() const override { return make_openai_chat_decoder(); }

  ApiError decode_error(int status, std::string_view body) const override {
    return decode_error_body(status, body);
  }

 private:
  OpenAiChatSettings settings_;
  json extra_;
};

}  // namespace

Result<std::unique_ptr<Codec>> make_openai_chat_codec(OpenAiChatSettings settings) {
  KGEN_TRY(json extra, parse_extra_body(settings.extra_body));
  return std::make_unique<OpenAiChatCodec>(std::move(settings), std::move(extra));
}

}  // namespace kgen::llm
