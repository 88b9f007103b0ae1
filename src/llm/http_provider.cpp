#include "llm/http_provider.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "llm/redact.hpp"

namespace kgen::llm {
namespace {

constexpr std::array<HttpProvider, 3> kProviders = {{
    {"anthropic", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "x-api-key"},
    {"openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY", ""},
    {"openai-chat", "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY", ""},
}};

bool has_space_or_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

std::string key_variable(const HttpProvider& provider, const ProviderConfig& config) {
  return config.api_key_env.empty() ? std::string(provider.key_variable) : config.api_key_env;
}

/// The address in effect, checked by nobody yet.
std::string configured_url(const HttpProvider& provider, const ProviderConfig& config,
                           const Environment& environment) {
  std::string url = !config.base_url.empty()
                        ? config.base_url
                        : environment(std::string(provider.url_variable)).value_or(std::string(provider.url));
  while (url.ends_with('/')) url.pop_back();
  // Anthropic's addresses are written without /v1, everybody else's with it: forgive the habit.
  if (provider.name == "anthropic" && url.ends_with("/v1")) url.erase(url.size() - 3);
  return url;
}

Result<std::string> base_url_of(const HttpProvider& provider, const ProviderConfig& config,
                                const Environment& environment) {
  std::string url = configured_url(provider, config, environment);
  const bool known_scheme = url.starts_with("https://") || url.starts_with("http://");
  if (known_scheme && !has_space_or_control(url) && url.find("://") + 3 < url.size()) return url;
  return fail(
      ErrorKind::bad_input,
      "the base URL \"" + redact(url, known_secrets(config, environment)) + "\" is no http or https address",
      provider.name == "anthropic" ? "write it as https://host" : "write it as https://host/v1");
}

/// The key, or "" where a server other than the company's own may do without.
Result<std::string> key_of(const HttpProvider& provider, const ProviderConfig& config,
                           const Environment& environment, const std::string& url) {
  const std::string name = key_variable(provider, config);
  std::string key = environment(name).value_or("");
  const std::size_t end = key.find_last_not_of(" \t\r\n");
  key.erase(end == std::string::npos ? 0 : end + 1);
  if (key.empty() && key_status(std::string(provider.name), config, environment).needed) {
    return fail(ErrorKind::provider, "no key for " + redact(url, {}) + ": " + name + " is not set",
                "export " + name + "=..., or choose another provider or base URL");
  }
  if (has_space_or_control(key)) {
    return fail(ErrorKind::bad_input, "the key in " + name + " contains blanks or control characters",
                "set it again, without the line breaks");
  }
  return key;
}

std::pair<std::string, std::string> key_header(std::string header, const std::string& key) {
  std::string small = header;
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // A bare key never stands in Authorization: whoever names that header means the scheme as well.
  if (header.empty() || small == "authorization") return {"Authorization", "Bearer " + key};
  return {std::move(header), key};
}

void add_headers(const HttpProvider& provider, const ProviderConfig& config, const Environment& environment,
                 const std::string& key, Endpoint& endpoint) {
  if (!key.empty()) {
    std::string header =
        config.api_key_header.empty() ? std::string(provider.key_header) : config.api_key_header;
    endpoint.headers.push_back(key_header(std::move(header), key));
  }
  if (!endpoint.is_own || provider.key_variable != "OPENAI_API_KEY") return;
  if (const auto value = environment("OPENAI_ORG_ID"))
    endpoint.headers.emplace_back("OpenAI-Organization", *value);
  if (const auto value = environment("OPENAI_PROJECT_ID"))
    endpoint.headers.emplace_back("OpenAI-Project", *value);
}

}  // namespace

const HttpProvider* find_http_provider(std::string_view name) {
  const auto found =
      std::find_if(kProviders.begin(), kProviders.end(), [&](const auto& row) { return row.name == name; });
  return found == kProviders.end() ? nullptr : &*found;
}

std::vector<std::string> known_secrets(const ProviderConfig& config, const Environment& environment) {
  std::vector<std::string> names = {"ANTHROPIC_AUTH_TOKEN", config.api_key_env};
  for (const HttpProvider& provider : kProviders) names.emplace_back(provider.key_variable);
  std::vector<std::string> secrets;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (const auto value = environment(name)) secrets.push_back(*value);
  }
  return secrets;
}

KeyStatus key_status(const std::string& name, const ProviderConfig& config, const Environment& environment) {
  const HttpProvider* const provider = find_http_provider(name);
  if (provider == nullptr) return {};
  const std::string variable = key_variable(*provider, config);
  const bool is_own = configured_url(*provider, config, environment) == provider->url;
  return {variable, environment(variable).has_value(), is_own || !config.api_key_env.empty()};
}

Result<Endpoint> make_endpoint(const HttpProvider& provider, const ProviderConfig& config,
                               const Environment& environment) {
  Endpoint endpoint;
  KGEN_TRY(endpoint.base_url, base_url_of(provider, config, environment));
  endpoint.is_own = endpoint.base_url == provider.url;
  KGEN_TRY(const std::string key, key_of(provider, config, environment, endpoint.base_url));
  add_headers(provider, config, environment, key, endpoint);
  endpoint.secrets = known_secrets(config, environment);
  if (!key.empty()) endpoint.secrets.push_back(key);
  endpoint.key_hint = "check the key in " + key_variable(provider, config);
  endpoint.connect_timeout_s = config.connect_timeout_s;
  endpoint.idle_timeout_s = config.idle_timeout_s;
  endpoint.total_timeout_s = config.total_timeout_s;
  return endpoint;
}

}  // namespace kgen::llm
