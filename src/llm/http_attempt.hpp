#pragma once

#include <string>
#include <string_view>

#include "llm/codec.hpp"
#include "llm/http_client.hpp"
#include "llm/http_transport.hpp"
#include "llm/retry_policy.hpp"

namespace kgen::llm {

/// One attempt, judged: what came, whether it is a reply, and if not, what kind of failure it is.
struct AttemptResult {
  enum class Kind {
    complete,   ///< a whole reply
    truncated,  ///< the reply began and did not end; worth asking again
    failed,     ///< an error that the retry policy decides on
    final,      ///< an error that asking again cannot help
    cancelled,
  };
  Kind kind = Kind::failed;
  Decoded decoded;
  Failure failure;
  std::string problem;  ///< redacted, for a person
  std::string hint;
  Usage usage;
  bool usage_known = false;
  bool possibly_paid = false;
  bool retry_useless = false;  ///< truncated, and asking again would end the same way
  std::string request_id;
};

/// A server's text as a person may see it: redacted, printable, at most 600 bytes.
std::string show_text(const Endpoint& endpoint, std::string_view text);

/// Sends `encoded` once and judges what comes back.
AttemptResult attempt_once(const HttpClientParts& parts, const EncodedRequest& encoded,
                           const Request& request);

}  // namespace kgen::llm
