#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "llm/codec.hpp"
#include "llm/sse_parser.hpp"

namespace kgen::llm {

/// Reads a body that is a stream of JSON events, or the one JSON object that some servers send to a stream
/// request. Framing and errors are the same for every protocol; a protocol says what its events mean.
class EventDecoder : public ReplyDecoder {
 public:
  /// `wanted` names what a whole body should have been: "no chat completion".
  explicit EventDecoder(std::string wanted);
  bool feed(std::string_view bytes) final;
  Decoded finish() final;
  std::size_t output_bytes() const final { return out_.text.size() + out_.reasoning.size(); }

 protected:
  /// One event's data: a JSON object that is no error.
  virtual void take_event(const nlohmann::json& data) = 0;
  /// A whole body, no error. False: it is no reply of this protocol.
  virtual bool take_body(const nlohmann::json& body) = 0;
  /// The line `data: [DONE]`, with which some protocols end.
  virtual void take_done() {}

  Decoded out_;
  bool done_ = false;  ///< nothing more is needed

 private:
  void take(const SseEvent& event);
  void take_whole();

  std::string wanted_;
  SseParser parser_;
  std::string head_;  ///< the whole body where it is JSON, else its first bytes
  bool form_known_ = false;
  bool is_json_ = false;
  bool saw_event_ = false;
};

}  // namespace kgen::llm
