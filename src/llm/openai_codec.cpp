#include "llm/openai_codec.hpp"

#include <utility>

#include "llm/request_body.hpp"
#include "util/file.hpp"
#include "util/json.hpp"

namespace kgen::llm {
namespace {

using nlohmann::json;

class OpenAiCodec : public Codec {
 public:
  OpenAiCodec(OpenAiSettings settings, json extra)
      : settings_(std::move(settings)), extra_(std::move(extra)) {}

  std::string name() const override { return "openai"; }

  EncodedRequest encode(const Prompt& prompt, const ModelOptions& options) const override {
    json body = {{"model", options.model}, {"store", false}};
    if (settings_.cache_prefix && !prompt.system.empty()) {
      add_marked_input(body, prompt);
    } else {
      if (!prompt.system.empty()) body["instructions"] = prompt.system;
      body["input"] = prompt.user;
    }
    if (options.max_output_tokens) body["max_output_tokens"] = *options.max_output_tokens;
    if (!options.effort.empty()) body["reasoning"] = {{"effort", options.effort}};
    if (options.temperature) body["temperature"] = *options.temperature;
    return encode_stream_request("/responses", std::move(body), extra_);
  }

  std::unique_ptr<ReplyDecoder> decoder() const override { return make_openai_decoder(); }

  ApiError decode_error(int status, std::string_view body) const override {
    return decode_error_body(status, body);
  }

 private:
  /// The system part ends at a cache mark. `explicit`: the user part, which never comes again, is not written
  /// to the cache (writing costs more than reading). The key keeps requests with one prefix on one server.
  static void add_marked_input(json& body, const Prompt& prompt) {
    const json system = {
        {"type", "input_text"}, {"text", prompt.system}, {"prompt_cache_breakpoint", {{"mode", "explicit"}}}};
    body["input"] = json::array({{{"role", "developer"}, {"content", json::array({system})}},
                                 {{"role", "user"}, {"content", prompt.user}}});
    body["prompt_cache_options"] = {{"mode", "explicit"}};
    body["prompt_cache_key"] = "kgen-" + util::content_hash(prompt.system);
  }

  OpenAiSettings settings_;
  json extra_;
};

}  // namespace

Result<std::unique_ptr<Codec>> make_openai_codec(OpenAiSettings settings) {
  KGEN_TRY(json extra, parse_extra_body(settings.extra_body));
  return std::make_unique<OpenAiCodec>(std::move(settings), std::move(extra));
}

}  // namespace kgen::llm
