#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm/client.hpp"
#include "util/error.hpp"

namespace kgen::llm {

/// Everything that decides which model is asked, and how. Holds the name of the key's variable, never the
/// key.
struct ProviderConfig {
  std::string provider;  ///< empty: choose_provider decides
  std::string model;     ///< empty: the provider's default, from models.json

  // anthropic, openai, openai-chat
  std::string base_url;  ///< with /v1 but for anthropic; empty: $ANTHROPIC_BASE_URL or $OPENAI_BASE_URL, else
                         ///< the company's own
  std::string api_key_env;  ///< empty: ANTHROPIC_API_KEY or OPENAI_API_KEY, which a server of one's own may
                            ///< do without
  std::string api_key_header;    ///< empty: the provider's own; else this header with the bare key
  std::string extra_body;        ///< a JSON object merged into every request body
  bool no_prompt_cache = false;  ///< anthropic, openai: do not mark the stable prefix for the server's cache

  // openai-chat
  std::string token_field = "max_completion_tokens";  ///< or max_tokens, for servers that know only that
  std::string system_role = "system";                 ///< or developer
  bool include_usage = true;                          ///< send stream_options.include_usage

  // exec
  std::string command;  ///< run by /bin/sh -c
  // replay
  std::filesystem::path transcript;  ///< folder with transcript.json

  double connect_timeout_s = 30;
  double idle_timeout_s = 300;    ///< no byte for so long: the server is taken for dead
  double total_timeout_s = 3600;  ///< one attempt, however lively
  int max_retries = 5;
  double max_wait_s = 120;            ///< a server that asks for more suspends the run
  std::filesystem::path models_file;  ///< replaces the built-in table of prices and default models
};

/// Reads an environment variable; a parameter so that tests need not set any.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
/// The process's own environment. A variable set to nothing counts as not set.
Environment process_environment();

/// The providers that make_client knows, in the order they are shown.
std::vector<std::string> provider_names();

/// Which provider is asked: the configured one; else openai-chat where a base URL or a key's variable is
/// configured; else the one whose variables are set: anthropic (ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL),
/// openai (OPENAI_API_KEY), openai-chat (OPENAI_BASE_URL, with or without a key). Errors: bad_input for an
/// unknown name (lists the known ones); provider where nothing says which, or both companies' variables do,
/// with what to do.
Result<std::string> choose_provider(const ProviderConfig& config, const Environment& environment);

/// The key of a provider over HTTP; the others have none (`variable` is empty).
struct KeyStatus {
  std::string variable;
  bool is_set = false;
  bool needed = false;  ///< false: a server of one's own may do without
};
KeyStatus key_status(const std::string& provider, const ProviderConfig& config,
                     const Environment& environment);

/// A client for `config`. Errors: as choose_provider; provider where the key is missing; bad_input for a bad
/// URL, extra body, transcript or models file.
Result<std::unique_ptr<Client>> make_client(const ProviderConfig& config,
                                            const Environment& environment = process_environment());

}  // namespace kgen::llm
