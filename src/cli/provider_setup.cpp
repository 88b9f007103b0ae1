#include "cli/provider_setup.hpp"

#include <algorithm>
#include <limits>

namespace kgen::cli {

llm::ProviderConfig provider_config(const config::Config& config) {
  llm::ProviderConfig provider;
  provider.provider = config.provider;
  provider.model = config.model;
  provider.base_url = config.base_url;
  provider.api_key_env = config.api_key_env;
  provider.api_key_header = config.api_key_header;
  provider.token_field = config.token_field;
  provider.system_role = config.system_role;
  provider.extra_body = config.extra_body;
  provider.no_prompt_cache = config.no_prompt_cache;
  provider.command = config.command;
  provider.transcript = config.transcript;
  provider.idle_timeout_s = config.idle_timeout_s;
  provider.models_file = config.models_file;
  return provider;
}

llm::ModelOptions model_options(const config::Config& config) {
  llm::ModelOptions options;
  options.model = config.model;
  options.effort = config.effort;
  if (config.max_output_tokens > 0)
    options.max_output_tokens =
        static_cast<int>(std::min<std::int64_t>(config.max_output_tokens, std::numeric_limits<int>::max()));
  return options;
}

}  // namespace kgen::cli
