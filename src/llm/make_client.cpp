#include <utility>

#include "llm/anthropic_codec.hpp"
#include "llm/curl_transport.hpp"
#include "llm/exec_client.hpp"
#include "llm/http_client.hpp"
#include "llm/http_provider.hpp"
#include "llm/manual_client.hpp"
#include "llm/model_table.hpp"
#include "llm/openai_chat_codec.hpp"
#include "llm/openai_codec.hpp"
#include "llm/provider_config.hpp"
#include "llm/redact.hpp"
#include "llm/replay_client.hpp"

namespace kgen::llm {
namespace {

/// libcurl ignores the variables that the curl tool and OpenSSL read.
CurlSettings curl_settings(const Environment& environment) {
  CurlSettings settings;
  settings.ca_file = environment("CURL_CA_BUNDLE").value_or(environment("SSL_CERT_FILE").value_or(""));
  settings.ca_folder = environment("SSL_CERT_DIR").value_or("");
  return settings;
}

Result<std::unique_ptr<Codec>> make_codec(const HttpProvider& provider, const ProviderConfig& config,
                                          const Endpoint& endpoint) {
  if (provider.name == "anthropic") {
    AnthropicSettings settings;
    settings.cache_prefix = !config.no_prompt_cache;
    settings.extra_body = config.extra_body;
    return make_anthropic_codec(std::move(settings));
  }
  if (provider.name == "openai") {
    // Other servers that speak the Responses API need not know the fields for the cache.
    return make_openai_codec({endpoint.is_own && !config.no_prompt_cache, config.extra_body});
  }
  return make_openai_chat_codec(
      {config.token_field, config.system_role, config.extra_body, config.include_usage});
}

/// The configured model, else the provider's default, which only the company's own server is sure to have.
Result<std::string> model_of(const HttpProvider& provider, const ProviderConfig& config,
                             const Endpoint& endpoint, const ModelTable& models) {
  if (!config.model.empty()) return config.model;
  const auto found = models.default_models.find(std::string(provider.name));
  if (endpoint.is_own && found != models.default_models.end()) return found->second;
  return fail(ErrorKind::bad_input, "no model is named for " + redact(endpoint.base_url, endpoint.secrets),
              "name one that this server has, with --model");
}

Result<std::unique_ptr<Client>> make_http(const HttpProvider& provider, const ProviderConfig& config,
                                          const Environment& environment) {
  HttpClientParts parts;
  KGEN_TRY(parts.models, load_model_table(config.models_file));
  KGEN_TRY(parts.endpoint, make_endpoint(provider, config, environment));
  KGEN_TRY(parts.defaults.model, model_of(provider, config, parts.endpoint, parts.models));
  KGEN_TRY(parts.codec, make_codec(provider, config, parts.endpoint));
  parts.transport = make_curl_transport(curl_settings(environment));
  parts.limits = {config.max_retries, config.max_wait_s};
  parts.surroundings = real_surroundings();
  return make_http_client(std::move(parts));
}

}  // namespace

Result<std::unique_ptr<Client>> make_client(const ProviderConfig& config, const Environment& environment) {
  KGEN_TRY(const std::string provider, choose_provider(config, environment));
  if (const HttpProvider* const http = find_http_provider(provider))
    return make_http(*http, config, environment);
  if (provider == "exec") {
    return make_exec_client(
        {config.command, config.model, config.total_timeout_s, known_secrets(config, environment)});
  }
  if (provider == "manual") return make_manual_client(config.model);
  if (provider == "replay") return make_replay_client(config.transcript);
  return fail(ErrorKind::internal, "provider \"" + provider + "\" is known but cannot be made");
}

}  // namespace kgen::llm
