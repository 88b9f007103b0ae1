#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace kgen::llm {

/// One server-sent event.
struct SseEvent {
  std::string
      name;  ///< the `event` field; "error" for a bare `error:` field (llama.cpp); empty where there is none
  std::string data;      ///< the `data` fields, joined by newlines
  bool complete = true;  ///< false where the stream ended before the event's blank line
};

/// Splits a byte stream into events (WHATWG HTML, section 9.2), tolerantly: LF, CRLF and CR line ends, a byte
/// order mark, comments, unknown fields, bytes split anywhere.
class SseParser {
 public:
  using OnEvent = std::function<void(const SseEvent&)>;

  /// `max_event_bytes` bounds what one event may hold; beyond it the parser is `overflowed` and ignores the
  /// rest.
  explicit SseParser(OnEvent on_event, std::size_t max_event_bytes = std::size_t{16} << 20);

  void feed(std::string_view bytes);
  /// The stream has ended: an event still open is handed over as incomplete.
  void finish();
  bool overflowed() const { return overflowed_; }

 private:
  void take_line(std::string_view line);
  void dispatch(bool complete);

  OnEvent on_event_;
  std::size_t max_event_bytes_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool at_start_ = true;
  bool overflowed_ = false;
};

}  // namespace kgen::llm
