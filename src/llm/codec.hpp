#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/client.hpp"

namespace kgen::llm {

/// An error as a provider tells it, in an error response's body or inside a stream.
struct ApiError {
  int status = 0;       ///< the HTTP status it had, or should have had where it came inside a 200 stream
  std::string code;     ///< error.code, else error.type
  std::string message;  ///< unredacted
};

/// What a response body held, as far as it came.
struct Decoded {
  std::string text;
  std::string reasoning;
  StopReason stop = StopReason::other;
  std::string stop_detail;  ///< why, in the server's words: the category of a refusal; unredacted
  bool terminal = false;    ///< the reply's own end was seen
  std::optional<Usage> usage;
  std::string model;
  std::string id;
  std::optional<ApiError> error;  ///< an error inside the body
  std::string problem;            ///< not this protocol at all: what came instead, unredacted
};

/// Reads one response body with status 2xx, as it arrives. Pure: no clock, no network.
class ReplyDecoder {
 public:
  virtual ~ReplyDecoder() = default;
  /// False: the reply is complete, nothing more is needed.
  virtual bool feed(std::string_view bytes) = 0;
  /// The body has ended, well or not.
  virtual Decoded finish() = 0;
  /// Bytes of text and reasoning so far.
  virtual std::size_t output_bytes() const = 0;
};

/// What goes over the wire for a request: path below the base URL, further headers, JSON body.
struct EncodedRequest {
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

/// A provider's protocol. Pure functions; one file a provider, the transport is shared.
class Codec {
 public:
  virtual ~Codec() = default;
  virtual std::string name() const = 0;
  virtual EncodedRequest encode(const Prompt& prompt, const ModelOptions& options) const = 0;
  virtual std::unique_ptr<ReplyDecoder> decoder() const = 0;
  /// Reads the body of a response with an error status; a body that is not the protocol's becomes the
  /// message.
  virtual ApiError decode_error(int status, std::string_view body) const = 0;
};

}  // namespace kgen::llm
