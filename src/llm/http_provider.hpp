#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llm/http_client.hpp"
#include "llm/provider_config.hpp"
#include "util/error.hpp"

namespace kgen::llm {

/// A provider over HTTP before anybody configures anything.
struct HttpProvider {
  std::string_view name;
  std::string_view url;  ///< of the company's own server
  std::string_view url_variable;
  std::string_view key_variable;
  std::string_view key_header;  ///< for the bare key; empty: "Authorization: Bearer KEY"
};

/// The table's row, or null where `name` is no provider over HTTP.
const HttpProvider* find_http_provider(std::string_view name);

/// Values of the variables that hold keys: what no message may show.
std::vector<std::string> known_secrets(const ProviderConfig& config, const Environment& environment);

/// Where requests go, with the key. Errors: bad_input for an address that is none, or a key with blanks in
/// it; provider where a key is needed and not set.
Result<Endpoint> make_endpoint(const HttpProvider& provider, const ProviderConfig& config,
                               const Environment& environment);

}  // namespace kgen::llm
