#include "llm/anthropic_codec.hpp"

#include <utility>

#include "llm/request_body.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

class AnthropicCodec : public Codec {
 public:
  AnthropicCodec(AnthropicSettings settings, json extra)
      : settings_(std::move(settings)), extra_(std::move(extra)) {}

  std::string name() const override { return "anthropic"; }

  EncodedRequest encode(const Prompt& prompt, const ModelOptions& options) const override {
    json body = {{"model", options.model},
                 {"max_tokens", options.max_output_tokens.value_or(settings_.default_max_tokens)},
                 {"messages", json::array({{{"role", "user"}, {"content", prompt.user}}})}};
    if (!prompt.system.empty()) body["system"] = json::array({system_block(prompt.system)});
    if (!options.effort.empty()) body["output_config"] = {{"effort", options.effort}};
    if (options.temperature) body["temperature"] = *options.temperature;
    EncodedRequest request = encode_stream_request("/v1/messages", std::move(body), extra_);
    request.headers.emplace_back("anthropic-version", settings_.version);
    return request;
  }

  std::unique_ptr<ReplyDecoder> decoder() const override { return make_anthropic_decoder(); }

  ApiError decode_error(int status, std::string_view body) const override {
    return decode_error_body(status, body);
  }

 private:
  /// The system part is the stable prefix: everything up to its end is cached (five minutes, renewed by each
  /// use).
  json system_block(const std::string& text) const {
    json block = {{"type", "text"}, {"text", text}};
    if (settings_.cache_prefix) block["cache_control"] = {{"type", "ephemeral"}};
    return block;
  }

  AnthropicSettings settings_;
  json extra_;
};

}  // namespace

Result<std::unique_ptr<Codec>> make_anthropic_codec(AnthropicSettings settings) {
  KGEN_TRY(json extra, parse_extra_body(settings.extra_body));
  return std::make_unique<AnthropicCodec>(std::move(settings), std::move(extra));
}

}  // namespace kgen::llm
