#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llm/client.hpp"
#include "llm/codec.hpp"
#include "llm/http_transport.hpp"
#include "llm/model_table.hpp"
#include "llm/retry_policy.hpp"

namespace kgen::llm {

/// Where requests go and what may not be shown.
struct Endpoint {
  std::string base_url;                                      ///< without a slash at its end
  bool is_own = false;                                       ///< the company's own server
  std::vector<std::pair<std::string, std::string>> headers;  ///< authorization among them
  std::vector<std::string> secrets;                          ///< never part of a message
  std::string key_hint;                                      ///< "set OPENAI_API_KEY", for 401
  double connect_timeout_s = 30;
  double idle_timeout_s = 300;
  double total_timeout_s = 3600;
};

/// Time and chance, injected: no test waits or is random.
struct Surroundings {
  std::function<double()> now_s;  ///< steady, for durations
  std::function<std::int64_t()> now_unix;
  std::function<double()> random;  ///< in [0, 1)
  /// Waits; false as soon as `cancelled` returns true.
  std::function<bool(double seconds, const std::function<bool()>& cancelled)> sleep;
};
Surroundings real_surroundings();

/// Parts of a client that speaks some provider's protocol over HTTP.
struct HttpClientParts {
  std::unique_ptr<Codec> codec;
  std::unique_ptr<HttpTransport> transport;
  Endpoint endpoint;
  ModelOptions defaults;  ///< used where a request leaves an option open
  ModelTable models;
  RetryLimits limits;
  Surroundings surroundings;
};

std::unique_ptr<Client> make_http_client(HttpClientParts parts);

}  // namespace kgen::llm
