#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kgen::llm {

/// Response headers, names in lower case; a repeated header keeps its last value.
using Headers = std::map<std::string, std::string>;

/// One POST. Nothing in it is ever logged.
struct HttpRequest {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  double connect_timeout_s = 30;
  double idle_timeout_s = 300;
  double total_timeout_s = 3600;
};

/// Status and headers, known before the body.
struct HttpHead {
  int status = 0;
  Headers headers;
};

/// What a transfer hands over while it runs. The functions may be empty.
struct HttpSink {
  std::function<void(const HttpHead&)> head;
  std::function<bool(std::string_view bytes)> data;  ///< false: no more is needed, the transfer ends well
  std::function<bool()> cancelled;
};

/// How a transfer ended, seen from the network alone: an HTTP 500 that arrived whole is `done`.
enum class TransferEnd {
  done,
  connection_failed,  ///< name not found, refused, TLS failed, or closed before any response
  cut,                ///< the body ended before it was complete
  idle,               ///< no byte for idle_timeout_s
  too_slow,           ///< total_timeout_s passed
  too_big,            ///< the body passed the cap
  cancelled,
};

struct HttpOutcome {
  TransferEnd end = TransferEnd::done;
  int status = 0;  ///< 0 where no response came
  Headers headers;
  bool sent = false;   ///< some of the request's body went out: the server may have begun to work
  std::string detail;  ///< the network's own words; may name the URL: redact before showing
};

/// Sends requests. The seam between providers and the network: tests put a fake in its place.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;
  /// Streams the response into `sink`. Redirects are not followed (a key must not travel on).
  virtual HttpOutcome post(const HttpRequest& request, const HttpSink& sink) = 0;
};

}  // namespace kgen::llm
